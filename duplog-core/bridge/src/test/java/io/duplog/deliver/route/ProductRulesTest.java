package io.duplog.deliver.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.config.ConfigException;
import io.duplog.deliver.syslog.SyslogHeader;
import io.duplog.parts.Deployed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the shipped routing rules give a sample message of each product its Splunk sourcetype.
 */
class ProductRulesTest {
  private static final Path RULES =
      Deployed.checkout().resolve("deploy/splunk/rules/products.yaml").toAbsolutePath();
  private static final Path SAMPLES =
      Deployed.checkout().resolve("deploy/splunk/rules/products.tsv");
  private static final Path PAGE = Deployed.checkout().resolve("docs/splunk/sourcetypes.md");

  /**
   * Rules of a site, with all kinds of conditions on what may be in the samples; those of products
   * are between them.
   */
  private static final String OWN =
      """
      rules:
        - {match: {message: 'vendor'}, set: {index: a}}
        - {match: {message: '[0-9]{7}', severity: err}, set: {index: b}}
        - {match: {program: ['s*d', '-'], message: 'user|failed'}, set: {index: c}}
        - {match: {program: ['*'], host: ['?p-*']}, set: {index: d}}
        - {match: {program: [sshd, CEF], facility: [auth, authpriv]}, set: {index: e}}
        - {match: {host: ['-'], message: '^<1[0-9]+>[^ ]* .*(?:192\\.0\\.2\\.31|00:00)'}, set: {index: f}}
      include: [%s]
      """
          .formatted(RULES);

  @TempDir private Path folder;

  private static Routing routing(String yaml) throws ConfigException {
    return new Routing(RoutingConfigTest.parse(yaml)).open();
  }

  /** Returns the samples, each with its sourcetype and line. */
  private static List<String[]> samples() throws IOException {
    return Files.readAllLines(SAMPLES).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\t", 2))
        .toList();
  }

  @Test
  void everyProductsSample_getsItsSourcetype_andEveryRuleHasOne() throws Exception {
    Routing routing = routing("include: [%s]".formatted(RULES));
    EventMetadata metadata = new EventMetadata(routing);
    List<String> wrong = new ArrayList<>();
    TreeSet<Integer> idle =
        new TreeSet<>(IntStream.rangeClosed(1, routing.rules().size()).boxed().toList());
    for (String[] sample : samples()) {
      byte[] data = sample[1].getBytes(StandardCharsets.UTF_8);
      metadata.read(data, 0, 0, data.length, 0);
      idle.remove(metadata.route().rule());
      if (!metadata.route().sourcetype().equals(sample[0])) {
        wrong.add(sample[0] + ", not " + metadata.route() + ": " + sample[1]);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(idle).as("rules that win no sample").isEmpty();
    assertThat(routing.rules()).hasSizeGreaterThan(200);
  }

  /** Fortinet's other products write nearly what FortiGate does, but no add-on reads them so. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<189>date=2026-11-23 time=10:15:02 devname=\"p-1\" devid=\"FPX4HE0000000001\" eventtime=1795428902"
            + " tz=\"+0200\" logid=\"0317013312\" type=\"utm\" subtype=\"webfilter\" level=\"notice\"",
        "<189>date=2026-11-23 time=10:15:02 devname=\"p-1\" devid=\"FPXVM00000000001\" logid=\"0000000010\""
            + " type=\"traffic\" subtype=\"forward\" level=\"notice\" vd=\"root\"",
        "<190>date=2026-11-23 time=10:15:02 log_id=0101008001 type=traffic subtype=slb_http"
            + " pri=information vd=root msg_id=39233960 src=192.0.2.31 dst=192.0.2.10",
        "<190>date=2026-11-23 time=10:15:02 log_id=0000000001 type=event subtype=admin"
            + " pri=information vd=root msg_id=522030 user=operator action=login"
      })
  void fortiProxyAndFortiAdc_areNotFortiGate(String message) throws Exception {
    EventMetadata metadata = new EventMetadata(routing("include: [%s]".formatted(RULES)));
    byte[] data = message.getBytes(StandardCharsets.UTF_8);
    metadata.read(data, 0, 0, data.length, 0);
    assertThat(metadata.route().rule()).isZero();
  }

  /** An operator looks sourcetypes up in the page's table. */
  @Test
  void everySourcetype_standsOnThePage() throws Exception {
    List<Glob> named =
        Pattern.compile("`([a-z][^` ]*)`")
            .matcher(Files.readString(PAGE))
            .results()
            .map(code -> Glob.parse(code.group(1)))
            .toList();
    List<RoutingConfig.Rule> rules = routing("include: [%s]".formatted(RULES)).rules();
    assertThat(rules).hasSizeGreaterThan(20);
    for (RoutingConfig.Rule rule : rules) {
      byte[] sourcetype = String.valueOf(rule.set().sourcetype()).getBytes(StandardCharsets.UTF_8);
      assertThat(named)
          .as(rule.set().sourcetype())
          .anyMatch(glob -> glob.matches(sourcetype, 0, sourcetype.length, false));
    }
  }

  @Test
  void index_findsTheRuleThatThePlainWayFindsFirst() throws Exception {
    Router router = new Router(routing(OWN).index());
    SyslogHeader header = new SyslogHeader(ZoneId.of("UTC"));
    Random random = new Random(21);
    List<String[]> samples = samples();
    TreeSet<Integer> met = new TreeSet<>();
    for (int i = 0; i < 20 * samples.size(); i++) {
      byte[] data = samples.get(i % samples.size())[1].getBytes(StandardCharsets.UTF_8);
      byte[] other =
          samples.get(random.nextInt(samples.size()))[1].getBytes(StandardCharsets.UTF_8);
      int length = Math.min(random.nextInt(60), Math.min(data.length, other.length));
      System.arraycopy(
          other,
          random.nextInt(other.length - length + 1),
          data,
          random.nextInt(data.length - length + 1),
          i < samples.size() ? 0 : length);
      header.parse(data, 0, data.length, 0);
      List<Route> matching = router.matching(data, 0, 0, data.length, header, null);
      int rule = router.route(data, 0, 0, data.length, header, null).rule();
      assertThat(rule)
          .as(() -> new String(data, StandardCharsets.UTF_8))
          .isEqualTo(matching.isEmpty() ? 0 : matching.get(0).rule());
      met.add(rule);
    }
    assertThat(met).hasSizeGreaterThan(100).contains(0, 1, 2, 3, 4, 5, 6);
  }

  @Test
  void includedRules_followTheOwn_fileByFile() throws Exception {
    Path first = Files.writeString(folder.resolve("1.yaml"), rules("b", "c"));
    Path second = Files.writeString(folder.resolve("2.yaml"), rules("d"));
    Path none = Files.writeString(folder.resolve("0.yaml"), "rules: []");
    String yaml = rules("a") + "include: [%s, %s, %s]".formatted(second, none, first);
    assertThat(routing(yaml).rules())
        .extracting(rule -> rule.set().index())
        .containsExactly("a", "d", "b", "c");
  }

  private static String rules(String... indexes) {
    StringBuilder yaml = new StringBuilder("rules:\n");
    for (String index : indexes) {
      yaml.append("  - {match: {message: x}, set: {index: %s}}\n".formatted(index));
    }
    return yaml.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ""                                  | :1: rules is missing; it has no default
          "rules: {}"                         | :1: rules must be a list
          "rules: [\\n"                       | :2: is not valid YAML
          "rule: []"                          | :1: rule is not a known key; did you mean 'rules'?
          "rules:\\n  - {set: {index: a}}"    | :2: rules[0].match is refused: a rule needs a condition
          "rules:\\n  - {match: {program: [a]}, set: {}}\\n  - {match: {message: '(a'}, set: {}}" | :3: rules[1].match.message must be a regular expression of RE2's syntax (missing closing ))
          "rules:\\n  - {match: {program: [a]}, set: {index: ' '}}" | :2: rules[0].set.index must not be empty
          """)
  void fileWithAnError_isRefusedByFileLineAndRule(String text, String problem) throws Exception {
    Path file = Files.writeString(folder.resolve("bad.yaml"), text.replace("\\n", "\n"));
    assertThatThrownBy(() -> routing("include: [%s]".formatted(file)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file + problem);
    Path gone = folder.resolve("gone.yaml");
    assertThatThrownBy(() -> routing("include: [%s]".formatted(gone)))
        .hasMessage(gone + ": can't be read (no such file)");
  }
}
