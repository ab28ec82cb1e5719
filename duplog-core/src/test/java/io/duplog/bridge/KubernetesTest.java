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
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The manifests of deploy/kubernetes fit each other and the bridge's configuration. Their schemas
 * are not checked here, since those are on the network.
 */
class KubernetesTest {
  private static final Path FOLDER = Path.of("../deploy/kubernetes");

  private static Node kustomization;
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
    kustomization = document("kustomization.yaml");
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
    kustomization.at("resources").each().forEach(each -> named.add(each.text()));
    Node generated = kustomization.at("configMapGenerator.0");
    generated.at("files").each().forEach(each -> named.add(each.text()));

    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString())).hasSameElementsAs(named);
    }
    assertThat(generated.at("name").value()).isEqualTo(pod.at("volumes.0.configMap.name").value());
    assertThat(kustomization.at("images.0.name").value()).isEqualTo(container.at("image").value());
    assertThat(kustomization.at("namespace").value())
        .isEqualTo(document("secret-example.yaml").at("metadata.namespace").value());
  }

  @Test
  void everySelector_selectsThePods() throws Exception {
    Object labels = deployment.at("spec.template.metadata.labels").value();
    List<Object> selected =
        List.of(
            deployment.at("spec.selector.matchLabels").value(),
            pod.at(
                    "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.0"
                        + ".labelSelector.matchLabels")
                .value(),
            pod.at(
                    "affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution.0"
                        + ".podAffinityTerm.labelSelector.matchLabels")
                .value(),
            document("service.yaml").at("spec.selector").value(),
            document("poddisruptionbudget.yaml").at("spec.selector.matchLabels").value(),
            document("networkpolicy.yaml").at("spec.podSelector.matchLabels").value());

    assertThat(selected).allMatch(labels::equals);
    assertThat(document("servicemonitor.yaml").at("spec.selector.matchLabels").value())
        .as("the monitor selects the service")
        .isEqualTo(document("service.yaml").at("metadata.labels").value());
  }

  @Test
  void probesServiceAndMonitor_askThePortOfTheStatusPage() throws Exception {
    String listen = config.status().listen();
    Node port = container.at("ports.0");
    String name = port.at("name").text();

    assertThat(listen).as("probes come by the pod's address").startsWith("0.0.0.0:");
    assertThat(listen).endsWith(":" + port.at("containerPort").number());
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      assertThat(container.at(probe + ".httpGet.port").text()).as(probe).isEqualTo(name);
    }
    Node service = document("service.yaml").at("spec.ports.0");
    assertThat(service.at("targetPort").text()).isEqualTo(name);
    assertThat(document("servicemonitor.yaml").at("spec.endpoints.0.port").value())
        .isEqualTo(service.at("name").value());
    assertThat(document("networkpolicy.yaml").at("spec.ingress.0.ports.0.port").text())
        .isEqualTo(name);
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

  /** Only what a restart mends starts a bridge again; and a pod may do nothing beyond its work. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          containers.0.startupProbe.httpGet.path                | /health/live
          containers.0.livenessProbe.httpGet.path               | /health/live
          containers.0.readinessProbe.httpGet.path              | /health/ready
          containers.0.securityContext.allowPrivilegeEscalation | false
          containers.0.securityContext.readOnlyRootFilesystem   | true
          containers.0.securityContext.capabilities.drop        | \\[ALL]
          containers.0.resources.limits.memory                  | .+
          securityContext.runAsNonRoot                          | true
          securityContext.runAsUser                             | [1-9][0-9]*
          securityContext.seccompProfile.type                   | RuntimeDefault
          automountServiceAccountToken                          | false
          """)
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
    assertThat(pod.at("volumes.1.secret.secretName").value())
        .isEqualTo(example.at("metadata.name").value());
    assertThat(container.at("volumeMounts.1.mountPath").text()).isEqualTo("/etc/duplog/secret");
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
