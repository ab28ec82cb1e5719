package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The manifests of deploy/kubernetes fit each other and the bridge's configuration. Their schemas
 * are not checked here, since those are on the network.
 */
class KubernetesTest {
  private static final Path DEPLOY = Path.of("../deploy");
  private static final Path FOLDER = DEPLOY.resolve("kubernetes");

  /**
   * What stands in a manifest at a path of keys and positions, where * is each of a list: {@code
   * service.yaml spec.ports.*.port}.
   */
  private static List<Object> at(String place) throws Exception {
    String[] fileAndPath = place.split(" ", 2);
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    String text = Files.readString(FOLDER.resolve(fileAndPath[0]));
    Stream<Object> found = Stream.of(new Yaml(new SafeConstructor(strict)).<Object>load(text));
    for (String step : fileAndPath[1].split("\\.", -1)) {
      found = found.flatMap(from -> below(from, step));
    }
    List<Object> all = found.toList();
    assertThat(all).as(place).isNotEmpty();
    return all;
  }

  private static Stream<Object> below(Object from, String step) {
    if (from instanceof List<?> list) {
      return step.equals("*")
          ? list.stream().map(Object.class::cast)
          : Stream.of(list.get(Integer.parseInt(step)));
    }
    return Stream.ofNullable(((Map<?, ?>) from).get(step));
  }

  /** With a secret of some kind for each file that it names. */
  private static BridgeConfig config(String file) throws Exception {
    String text = Files.readString(DEPLOY.resolve(file));
    return ConfigLoader.of(Map.of(), "host-1")
        .parse(file, text.replaceAll("\\$\\{file:[^}]*}", "a-secret"), BridgeConfig.class);
  }

  @Test
  void kustomization_namesEveryFile_andNothingElse() throws Exception {
    Set<Object> named = new HashSet<>(List.of("kustomization.yaml", "secret-example.yaml"));
    named.addAll(at("kustomization.yaml resources.*"));
    named.addAll(at("kustomization.yaml configMapGenerator.0.files.*"));

    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> (Object) file.getFileName().toString()))
          .hasSameElementsAs(named);
    }
  }

  @ParameterizedTest
  @CsvFileSource(resources = "same-in-manifests.csv", delimiter = '|')
  void whatTwoManifestsSay_isTheSame(String one, String other) throws Exception {
    assertThat(at(one)).hasSameElementsAs(at(other));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "in-manifests.csv", delimiter = '|')
  void manifest_says(String place, String like) throws Exception {
    assertThat(at(place)).singleElement().asString().matches(like);
  }

  @Test
  void networkPolicy_letsOutWhatTheConfigurationNames() throws Exception {
    BridgeConfig config = config("kubernetes/duplog.yaml");
    Set<Object> needed = new HashSet<>(Set.of(53, config.dedup().redis().port()));
    config.streams().forEach(stream -> needed.add(stream.port()));
    Objects.requireNonNull(config.sink().hec())
        .urls()
        .forEach(
            url -> needed.add(Integer.parseInt(url.toString().replaceAll(".*:(\\d+)/?$", "$1"))));

    assertThat(at("networkpolicy.yaml spec.egress.*.ports.*.port")).hasSameElementsAs(needed);
  }

  @Test
  void pod_hasTheTimeThatABridgeNeedsToEnd() throws Exception {
    Object seconds = at("deployment.yaml spec.template.spec.terminationGracePeriodSeconds").get(0);

    assertThat(Duration.ofSeconds((Integer) seconds))
        .isGreaterThan(config("kubernetes/duplog.yaml").shutdownGrace());
  }

  @Test
  void everySecretOfTheExample_isAFileOfTheConfiguration() throws Exception {
    String text = Files.readString(FOLDER.resolve("duplog.yaml"));
    Map<?, ?> files = (Map<?, ?>) at("secret-example.yaml stringData").get(0);

    assertThat(files.keySet())
        .isNotEmpty()
        .allMatch(file -> text.contains("${file:/etc/duplog/secret/" + file + "}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"duplog.yaml", "container/trial/duplog.yaml", "kubernetes/duplog.yaml"})
  void deployedExample_isAConfigurationThatABridgeTakes(String file) throws Exception {
    BridgeConfig config = config(file);

    assertThat(config.streamNames()).isEqualTo("syslog-a, syslog-b");
    assertThat(config.name()).as("each its own").isEqualTo("host-1");
    assertThat(config.status().listen()).as("what health checks ask").endsWith(":8514");
  }
}
