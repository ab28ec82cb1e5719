package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigLoader;
import io.duplog.parts.Deployed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Tests that the Helm chart in deploy/kubernetes creates consistent manifests with a valid
 * configuration of the bridge. The manifests stay in target/kubernetes, where deploy/verify has
 * them checked against Kubernetes' own schemas.
 */
class KubernetesTest {
  private static final Path CHART = Deployed.path("kubernetes");

  /** Rules that begin with a space and have two lines, since both need care in YAML. */
  private static final String SITE_RULES = " # of this site\nrules: []\n";

  private static List<Map<?, ?>> manifests = List.of();

  private static TemplateCommand template() {
    return new Helm(CHART)
        .template()
        .withName("duplog")
        .withNamespace("logs")
        .withKubeVersion("1.34.0");
  }

  private static TemplateCommand example() {
    return template().withValuesFile(CHART.resolve("example.yaml"));
  }

  private static List<Map<?, ?>> parsed(String text) {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    Iterable<Object> all = new Yaml(new SafeConstructor(strict)).loadAll(text);
    return StreamSupport.stream(all.spliterator(), false)
        .filter(Objects::nonNull)
        .<Map<?, ?>>map(manifest -> (Map<?, ?>) manifest)
        .toList();
  }

  @BeforeAll
  static void makeManifests(@TempDir Path folder) throws Exception {
    Path rules = folder.resolve("rules");
    Files.writeString(rules, SITE_RULES);
    String text =
        example()
            .set("serviceMonitor.enabled", true)
            .setFile("files.site-rules\\.yaml", rules)
            .call();
    Path file = Deployed.checkout().resolve("duplog-core/target/kubernetes/manifests.yaml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    manifests = parsed(text);
  }

  /**
   * Returns what a manifest has at a path of keys and positions, where * is each element of a list:
   * {@code Service spec.ports.*.port}.
   */
  private static List<Object> at(String place) {
    String[] kindAndPath = place.split(" ", 2);
    Stream<Object> found =
        manifests.stream()
            .filter(manifest -> kindAndPath[0].equals(manifest.get("kind")))
            .map(Object.class::cast);
    for (String step : kindAndPath[1].split("\\.", -1)) {
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

  private static String data(String file) {
    Map<?, ?> files = (Map<?, ?>) at("ConfigMap data").get(0);
    return Objects.requireNonNull((String) files.get(file), file);
  }

  /** Parses a configuration, with a secret of some kind for each file that it names. */
  private static BridgeConfig config(String name, String text) throws Exception {
    return ConfigLoader.of(Map.of(), "host-1")
        .parse(name, text.replaceAll("\\$\\{file:[^}]*}", "a-secret"), BridgeConfig.class);
  }

  private static BridgeConfig config() throws Exception {
    return config("duplog.yaml", data("duplog.yaml"));
  }

  @Test
  void chart_isInOrder() {
    assertThat(new Helm(CHART).lint().strict().call().getMessages())
        .containsExactly("[INFO] Chart.yaml: icon is recommended");
  }

  @Test
  void everyTemplate_makesOneManifestOfEachKind() {
    assertThat(manifests.stream().<Object>map(manifest -> manifest.get("kind")))
        .containsExactlyInAnyOrder(
            "ConfigMap",
            "Deployment",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "Service",
            "ServiceMonitor");
    assertThat(manifests)
        .allSatisfy(
            manifest ->
                assertThat(below(manifest.get("metadata"), "namespace")).containsExactly("logs"));
  }

  @Test
  void withoutNodes_itSaysWhatToSet() {
    assertThatThrownBy(() -> template().call()).hasMessageContaining("config.streams is not set");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          replica                       | 3              | additional properties
          image.tags                    | 1              | /image
          networkPolicy.egress[0].ports | 1              | /networkPolicy/egress
          networkPolicy.egress[0].cidr  | 10.0.0.1       | does not match
          podAnnotations.scrape         | true           | want string
          config.status.listen          | 127.0.0.1:8514 | /config/status/listen
          config.status.tls.key         | /key.pem       | /config/status/tls
          terminationGracePeriodSeconds | 49             | 20 more than config.shutdown-grace
          """)
  void valueThatCanNotBeMeant_isRefused(String key, String value, String why) {
    assertThatThrownBy(() -> example().set(key, value).call()).hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "2026", "syslog.merged"})
  void release_isATextWhateverItsName(String name) {
    assertThat(parsed(example().withName(name).call()))
        .allSatisfy(
            manifest ->
                assertThat(below(manifest.get("metadata"), "name"))
                    .containsExactly(name.replace('.', '-') + "-bridge"));
  }

  @Test
  void withoutAddresses_aBridgeMayReachEverything(@TempDir Path folder) throws Exception {
    Path values = folder.resolve("values.yaml");
    Files.writeString(values, "networkPolicy: {egress: []}");

    assertThat(example().withValuesFile(values).call())
        .contains("policyTypes: [Ingress]\n")
        .doesNotContain("egress:");
  }

  @ParameterizedTest
  @CsvFileSource(resources = "same-in-manifests.csv", delimiter = '|')
  void whatTwoManifestsSay_isTheSame(String one, String other) {
    assertThat(at(one)).hasSameElementsAs(at(other));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "in-manifests.csv", delimiter = '|')
  void manifest_says(String place, String like) {
    assertThat(at(place)).singleElement().asString().matches(like);
  }

  @Test
  void selector_selectsPodsAndService() {
    Set<Object> selector = entries("Deployment spec.selector.matchLabels");

    assertThat(entries("Deployment spec.template.metadata.labels")).containsAll(selector);
    assertThat(entries("Service metadata.labels")).containsAll(selector);
  }

  private static Set<Object> entries(String place) {
    return Set.copyOf(((Map<?, ?>) at(place).get(0)).entrySet());
  }

  @Test
  void networkPolicy_letsOutWhatTheConfigurationNames() throws Exception {
    BridgeConfig config = config();
    Set<Object> needed = new HashSet<>(Set.of(53, config.dedup().redis().port()));
    config.streams().forEach(stream -> needed.add(stream.port()));
    Objects.requireNonNull(config.sink().hec())
        .urls()
        .forEach(
            url -> needed.add(Integer.parseInt(url.toString().replaceAll(".*:(\\d+)/?$", "$1"))));

    assertThat(at("NetworkPolicy spec.egress.*.ports.*.port")).hasSameElementsAs(needed);
  }

  @Test
  void pod_hasTheTimeThatABridgeNeedsToEnd() throws Exception {
    Object seconds = at("Deployment spec.template.spec.terminationGracePeriodSeconds").get(0);

    assertThat(Duration.ofSeconds((Integer) seconds)).isGreaterThan(config().shutdownGrace());
  }

  @Test
  void everySecretOfTheExample_isMadeByTheReadme() throws Exception {
    String readme = Deployed.text("kubernetes/README.md");
    Object secret = at("Deployment spec.template.spec.volumes.1.secret.secretName").get(0);

    assertThat(readme).contains("create secret generic " + secret + " ");
    assertThat(Pattern.compile("\\$\\{file:([^}]*)}").matcher(data("duplog.yaml")).results())
        .isNotEmpty()
        .allSatisfy(
            file ->
                assertThat(readme).contains("--from-file=" + Path.of(file.group(1)).getFileName()));
  }

  @Test
  void fileOfTheSite_liesBesideTheConfiguration() {
    assertThat(data("site-rules.yaml")).isEqualTo(SITE_RULES);
    assertThat(at("Deployment spec.template.spec.containers.0.volumeMounts.*.mountPath"))
        .contains("/etc/duplog/duplog.yaml", "/etc/duplog/site-rules.yaml", "/etc/duplog/secret");
  }

  @Test
  void chart_isOfTheProjectsVersion() throws Exception {
    String version =
        Files.readString(Deployed.checkout().resolve("pom.xml"))
            .replaceFirst("(?s).*?\\n  <version>([^<]*)</version>.*", "$1");
    Map<?, ?> chart = parsed(Deployed.text("kubernetes/Chart.yaml")).get(0);

    assertThat(List.of(chart.get("version"), chart.get("appVersion"))).containsOnly(version);
    assertThat(at("Deployment spec.template.spec.containers.0.image"))
        .containsExactly("duplog-bridge:" + version);
  }

  @Test
  void bridgeOfTheChart_takesItsConfiguration() throws Exception {
    isDeployed(config());
    assertThat(config().status().listen()).as("probes come by address").isEqualTo("0.0.0.0:8514");
  }

  @ParameterizedTest
  @ValueSource(strings = {"duplog.yaml", "container/trial/duplog.yaml"})
  void deployedExample_isAConfigurationThatABridgeTakes(String file) throws Exception {
    isDeployed(config(file, Deployed.text(file)));
  }

  private static void isDeployed(BridgeConfig config) {
    assertThat(config.streamNames()).isEqualTo("syslog-a, syslog-b");
    assertThat(config.name()).as("each its own").isEqualTo("host-1");
    assertThat(config.status().listen()).as("what health checks ask").endsWith(":8514");
  }
}
