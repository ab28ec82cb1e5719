package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The manifests of deploy/kubernetes fit each other and the bridge's configuration. Their schemas
 * are not checked here, since those are on the network.
 */
class KubernetesTest {
  private static final Path FOLDER = Path.of("../deploy/kubernetes");

  private static Node deployment;
  private static Node pod;
  private static Node container;
  private static BridgeConfig config;

  /** A part of a document, found by a path of keys and positions: {@code spec.ports.0.port}. */
  private record Node(Object value) {
    Node at(String path) {
      Object here = value;
      for (String step : path.split("\\.", -1)) {
        Object next =
            here instanceof List<?> list
                ? list.get(Integer.parseInt(step))
                : ((Map<?, ?>) here).get(step);
        here = Objects.requireNonNull(next, step + " of " + path);
      }
      return new Node(here);
    }

    List<Node> each() {
      List<Node> all = new ArrayList<>();
      ((List<?>) value).forEach(item -> all.add(new Node(Objects.requireNonNull(item))));
      return all;
    }

    String text() {
      return String.valueOf(value);
    }

    int number() {
      return (Integer) value;
    }
  }

  @BeforeAll
  static void read() throws Exception {
    deployment = document("deployment.yaml");
    pod = deployment.at("spec.template.spec");
    container = pod.at("containers.0");
    config = config("kubernetes/duplog.yaml", "duplog-bridge-0");
  }

  /** With a secret of some kind for each file that it names. */
  private static BridgeConfig config(String file, String host) throws Exception {
    String text = Files.readString(Path.of("../deploy").resolve(file));
    return ConfigLoader.of(Map.of(), host)
        .parse(file, text.replaceAll("\\$\\{file:[^}]*}", "a-secret"), BridgeConfig.class);
  }

  private static Node document(String file) throws Exception {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    return new Node(
        new Yaml(new SafeConstructor(strict)).load(Files.readString(FOLDER.resolve(file))));
  }

  @Test
  void kustomization_namesEveryFile_andNothingElse() throws Exception {
    Set<String> named = new TreeSet<>(List.of("kustomization.yaml", "secret-example.yaml"));
    Node kustomization = document("kustomization.yaml");
    kustomization.at("resources").each().forEach(each -> named.add(each.text()));
    kustomization.at("configMapGenerator.0.files").each().forEach(each -> named.add(each.text()));

    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString())).hasSameElementsAs(named);
    }
  }

  @ParameterizedTest
  @CsvFileSource(resources = "same-in-manifests.csv", delimiter = '|')
  void whatTwoManifestsSay_isTheSame(String one, String other) throws Exception {
    assertThat(valueAt(one)).isEqualTo(valueAt(other));
  }

  private static Object valueAt(String place) throws Exception {
    String[] fileAndPath = place.split(" ", 2);
    return document(fileAndPath[0]).at(fileAndPath[1]).value();
  }

  @Test
  void statusPage_listensWhereProbesCome() {
    assertThat(config.status().listen())
        .as("by the pod's address")
        .isEqualTo("0.0.0.0:" + container.at("ports.0.containerPort").number());
  }

  @Test
  void networkPolicy_letsOutWhatTheConfigurationNames() throws Exception {
    Set<Integer> open = new TreeSet<>();
    for (Node rule : document("networkpolicy.yaml").at("spec.egress").each()) {
      rule.at("ports").each().forEach(each -> open.add(each.at("port").number()));
    }
    Set<Integer> needed = new TreeSet<>(Set.of(53, config.dedup().redis().port()));
    config.streams().forEach(stream -> needed.add(stream.port()));
    Objects.requireNonNull(config.sink().hec())
        .urls()
        .forEach(
            url -> needed.add(Integer.parseInt(url.toString().replaceAll(".*:(\\d+)/?$", "$1"))));

    assertThat(open).isEqualTo(needed);
  }

  @Test
  void pod_hasTheTimeThatABridgeNeedsToEnd() {
    assertThat(Duration.ofSeconds(pod.at("terminationGracePeriodSeconds").number()))
        .isGreaterThan(config.shutdownGrace());
  }

  @ParameterizedTest
  @CsvFileSource(resources = "pod.csv", delimiter = '|')
  void pod_says(String path, String like) {
    assertThat(pod.at(path).text()).matches(like);
  }

  @Test
  void everyMount_hasItsVolume_andEverySecretItsFile() throws Exception {
    Set<String> volumes = new TreeSet<>();
    pod.at("volumes").each().forEach(each -> volumes.add(each.at("name").text()));
    Set<String> mounted = new TreeSet<>();
    container.at("volumeMounts").each().forEach(each -> mounted.add(each.at("name").text()));
    assertThat(mounted).isEqualTo(volumes);

    Node example = document("secret-example.yaml");
    String text = Files.readString(FOLDER.resolve("duplog.yaml"));
    for (Object file : ((Map<?, ?>) example.at("stringData").value()).keySet()) {
      assertThat(text).contains("${file:/etc/duplog/secret/" + file + "}");
    }
  }

  @Test
  void pairs_stayAPair() {
    assertThat(deployment.at("spec.replicas").number()).isGreaterThanOrEqualTo(2);
    assertThat(deployment.at("spec.strategy.rollingUpdate.maxUnavailable").number()).isEqualTo(1);
    assertThat(config.name()).as("each its own").isEqualTo("duplog-bridge-0");
  }

  @Test
  void trialOfCompose_hasAConfigurationThatABridgeTakes() throws Exception {
    BridgeConfig trial = config("container/trial/duplog.yaml", "bridge-1");

    assertThat(trial.streamNames()).isEqualTo("syslog-a, syslog-b");
    assertThat(trial.status().listen()).as("the image's health check").endsWith(":8514");
  }
}
