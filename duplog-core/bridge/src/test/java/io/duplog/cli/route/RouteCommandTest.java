package io.duplog.cli.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import com.google.common.io.ByteSource;
import com.google.common.io.ByteStreams;
import io.duplog.cli.Commands;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.observe.JsonValue;
import io.duplog.parts.Deployed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Tests that {@code duplog route} shows the sourcetype, index and host that each message would get
 * in Splunk.
 */
class RouteCommandTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2023-10-12T06:00:00Z"), ZoneOffset.UTC);

  private static final String ANY = "{match: {program: ['*']}, set: {sourcetype: any}}";

  @TempDir private Path folder;
  private Path config;

  @BeforeEach
  void write() throws IOException {
    config =
        Files.writeString(
            folder.resolve("duplog.yaml"),
            """
            streams: [{name: a}, {name: b, port: 5673}]
            sink:
              type: hec
              hec:
                urls: [http://splunk:8088]
                token: t
                routing:
                  time-zone: UTC
                  defaults: {fields: {env: prod}}
                  rules:
                    - match: {sender: [10.1.0.0/16], program: ['%ASA*']}
                      set: {index: netfw, sourcetype: cisco:asa, fields: {kind: fw}}
                    - match: {message: secret}
                      set: {host: vault, source: duplog}
            """);
  }

  private Commands.Said run(String input, String... options) {
    byte[] bytes = input.getBytes(StandardCharsets.ISO_8859_1);
    CommandLine route = new CommandLine(new RouteCommand(new ByteArrayInputStream(bytes), CLOCK));
    return Commands.run(route, 0, config, options);
  }

  /** The page shows a configuration, and what route prints for two lines with it. */
  @Test
  void pageOnNoise_showsWhatRoutePrints() throws IOException {
    String page = Files.readString(Deployed.checkout().resolve("docs/drop-noise.md"));
    String yaml = page.substring(page.indexOf("```yaml\n") + 8, page.indexOf("\n```\n"));
    Files.writeString(
        config,
        yaml.replace("${file:/etc/duplog/hec.token}", "t")
            + "\nstreams: [{name: a}, {name: b, port: 5673}]\n");
    List<String> shown =
        page.lines()
            .dropWhile(line -> !line.startsWith("    $ duplog route"))
            .skip(1)
            .takeWhile(line -> line.startsWith("    "))
            .map(line -> line.substring(4).replace("/etc/duplog/duplog.yaml", config.toString()))
            .toList();
    String input =
        shown.stream()
            .filter(line -> line.startsWith("line "))
            .map(line -> line.substring(line.indexOf('<')) + "\n")
            .collect(Collectors.joining());

    List<String> printed = run(input).out().lines().toList();

    assertThat(shown).hasSizeGreaterThan(8);
    assertThat(printed)
        .containsSubsequence(shown.stream().filter(line -> !line.strip().equals("…")).toList());
  }

  @Test
  void longLine_isCut_asByAShim() throws IOException {
    int most = 1 << 20;
    InputStream endless =
        new SequenceInputStream(
            ByteSource.wrap("<13>fw-1 app: ".getBytes(StandardCharsets.UTF_8)).openStream(),
            ByteStreams.limit(
                new InputStream() {
                  @Override
                  public int read() {
                    return 'x';
                  }
                },
                20L << 20));
    CommandLine route = new CommandLine(new RouteCommand(endless, CLOCK));
    Commands.Said said = Commands.run(route, 0, config, "--json");

    assertThat(said.err())
        .contains("line 1 has %,d bytes; only the first %,d".formatted((20 << 20) + 14, most));
    assertThat(said.out()).hasSizeBetween(1, 2 * most);
  }

  /** Runs the command without a configuration. */
  private Commands.Said alone(int status, String input, String... options) {
    byte[] bytes = input.getBytes(StandardCharsets.UTF_8);
    CommandLine route = new CommandLine(new RouteCommand(new ByteArrayInputStream(bytes), CLOCK));
    return Commands.run(route, status, null, options);
  }

  private String rules(String name, String... rules) throws IOException {
    String yaml = "rules:\n  - " + String.join("\n  - ", rules) + "\n";
    return Files.writeString(folder.resolve(name), yaml).toString();
  }

  @Test
  void lines_areShownWithTheirMetadata() {
    String asa = "<166>Oct 11 2023 22:14:15 fw-1 : %ASA-6-302013: Built\n";
    String said = run(asa + "any \u00ff\u001b[2Jsecret", "--sender", "10.1.2.3").out();
    assertThat(said.replace(config.toString(), "duplog.yaml"))
        .isEqualTo(
            """
            line 1: 10.1.2.3 <166>Oct 11 2023 22:14:15 fw-1 : %ASA-6-302013: Built
              header      host=fw-1, program=%ASA-6-302013, facility=local4, severity=info
              rule        1 (duplog.yaml:11)
              time        2023-10-11T22:14:15.000Z (the sender's)
              host        fw-1 (the message's)
              index       netfw
              sourcetype  cisco:asa
              source      (the token's)
              fields      env=prod, kind=fw

            line 2: 10.1.2.3 any \ufffd?[2Jsecret
              header      (none)
              rule        2 (duplog.yaml:13)
              time        2023-10-12T06:00:00.000Z (the receipt's)
              host        vault (the configuration's)
              index       (the token's)
              sourcetype  syslog
              source      duplog
              fields      env=prod

            """);
  }

  @Test
  void topic_isShown_forASinkOfTypeKafka() throws IOException {
    String set = "{match: {program: [fw]}, set: {topic: firewall}}";
    String file = rules("shared.yaml", set);
    Files.writeString(
        config,
        """
        streams: [{name: a}, {name: b, port: 5673}]
        sinks:
          kafka:
            type: kafka
            kafka: {servers: [k], topic: syslog}
            routing: {include: [%1$s]}
          splunk:
            type: hec
            hec: {urls: [http://splunk:8088], token: t, routing: {include: [%1$s]}}
        """
            .formatted(file));
    String input = "<13>fw: x\n<13>app: x";
    assertThat(run(input).out())
        .containsSubsequence(
            "rule        1 (", "topic       firewall\n", "line 2", "topic       syslog\n");
    assertThat(run(input, "--json").out())
        .containsSubsequence("\"topic\":\"firewall\"}", "\"topic\":\"syslog\"}");
    // The file may be shared with a sink that has no topics.
    assertThat(run(input, "--sink", "splunk").out()).doesNotContain("topic");
    assertThat(run(input, "--sink", "splunk", "--json").out()).contains("\"topic\":null}");
    // A file alone does not say what the sink's own topic is.
    assertThat(alone(0, input, "--rules", file).out()).containsOnlyOnce("topic       firewall\n");
    assertThat(
            tried(0, "syslog topic=firewall\t<13>fw: x\nsyslog topic=-\tx\n", "--rules", file)
                .out())
        .startsWith("2 samples, 2 as expected");
  }

  @Test
  void line_isShownAsOnThePage() {
    Path rules = Deployed.checkout().resolve("deploy/splunk/rules/products.yaml");
    String line = "<166>Nov 23 2026 10:15:02 fw-1 : %ASA-6-302013: Built\n";
    assertThat(Deployed.page("splunk/index-and-sourcetype.md"))
        .contains(line.strip())
        .contains(
            alone(0, line, "--rules", rules.toString())
                .out()
                .replace(rules.getParent().toString(), "/usr/share/duplog-bridge/rules")
                .stripTrailing()
                .indent(4));
  }

  @Test
  void hostFromTheTable_isShown_andAnInvalidRowIsNamed() throws IOException {
    Path table = Files.writeString(folder.resolve("hosts.csv"), "10.1.0.0/16,site-1\n");
    String routing = Files.readString(config);
    Files.writeString(config, routing.replace("time-zone: UTC", "host-table: " + table));
    assertThat(run("text", "--sender", "10.1.2.3").out())
        .contains("host        site-1 (the host table's)");
    Files.writeString(table, "10.1.0.0/16\n");
    assertThat(Commands.run(2, config, "route").err())
        .contains(table + ":1: must be an address or a network, a comma, and a name");
  }

  @Test
  void senderInEachLine_isReadFromTheLine() {
    Commands.Said said = run("10.1.2.3 <13>%ASA-1: x\n10.2.2.3 <13>%ASA-1: x\n", "--with-sender");
    assertThat(said.out())
        .containsSubsequence(
            "line 1", "rule        1", "host        10.1.2.3 (the sender's address)")
        .containsSubsequence("line 2", "rule        none, the defaults", "host        10.2.2.3");
    assertThat(said.err()).isEmpty();
  }

  @Test
  void linesWithoutSender_haveNoSender() {
    Commands.Said said = run("\n<13>%ASA-1: x\n");
    assertThat(said.out())
        .containsSubsequence("line 1: \n", "(nobody knows)", "line 2", "none", "(nobody knows)")
        .doesNotContain("line 3");
    assertThat(said.err())
        .startsWith(
            "no sender is known, so that no rule with the condition sender matches (1 of 2)")
        .hasLineCount(1);
  }

  @Test
  void samples_areComparedWithTheirExpectations() throws IOException {
    Path included =
        Files.writeString(
            folder.resolve("more.yaml"),
            "rules:\n  - {match: {program: ['%*']}, set: {sourcetype: cisco:ios}}\n");
    Files.writeString(
        config, "      include: [%s]\n".formatted(included), StandardOpenOption.APPEND);
    Path samples = folder.resolve("samples.tsv");
    String asa = "cisco:asa\t<166>Oct 11 2023 22:14:15 fw-1 : %ASA-6-302013: Built\n";
    Files.writeString(
        samples, "# ASA\n" + asa + "cisco:ios\t<13>%SYS-5-CONFIG_I: by a\tb\n\n\r\nsyslog\tplain");
    String[] good = {"--sender", "10.1.2.3", "--expect", samples.toString()};
    String overlap =
        "samples.tsv:2: cisco:asa by duplog.yaml:11\n  wins over cisco:ios by more.yaml:2\n";
    assertThat(expect(0, good))
        .isEqualTo(
            "3 samples, 3 as expected, 0 not; 1 match other rules, too, that give something else"
                + " (--overlaps names them)\n");
    assertThat(expect(0, Lists.asList("--overlaps", good).toArray(String[]::new)))
        .startsWith(overlap + "3 samples");

    Files.writeString(samples, asa.replace("cisco:asa", "cisco:pix"));
    assertThat(expect(1, good))
        .startsWith(
            """
            samples.tsv:1: expected cisco:pix, got cisco:asa by duplog.yaml:11
              10.1.2.3 <166>Oct 11 2023 22:14:15 fw-1 : %ASA-6-302013: Built
              wins over cisco:ios by more.yaml:2
            1 samples, 0 as expected, 1 not\
            """);
    Files.writeString(samples, "syslog\tx\nno tab\n");
    assertThat(expect(2, good))
        .endsWith("duplog: samples.tsv:2: must be a sourcetype, a tab and a message\n");
    Files.writeString(samples, "# none yet\n");
    assertThat(expect(2, good)).endsWith("duplog: samples.tsv: has no samples\n");
    assertThat(expect(2, "--overlaps")).contains("--overlaps needs --expect");
    Files.delete(samples);
    assertThat(expect(2, good))
        .endsWith(
            """
            nothing is tried, since a file is not right:
            duplog: samples.tsv: can't be read (no such file)
            """);
  }

  private String expect(int status, String... options) {
    Commands.Said said =
        Commands.run(status, config, Lists.asList("route", options).toArray(String[]::new));
    return (said.out() + said.err()).replace(folder + "/", "");
  }

  @Test
  void invalidRuleFile_isRejected() throws IOException {
    Path file = Files.writeString(folder.resolve("bad.yaml"), "rules:\n  - {set: {}}\n");
    Files.writeString(config, "      include: [%s]\n".formatted(file), StandardOpenOption.APPEND);
    String problem = "bad.yaml:2: rules[0].match is refused: a rule needs a condition";
    assertThat(expect(2)).contains("duplog: " + problem);
    for (String command : new String[] {"check", "bridge"}) {
      Commands.Said said = Commands.run(command.equals("bridge") ? 2 : 1, config, command);
      assertThat((said.out() + said.err()).replace(folder + "/", "").replaceAll("\\s+", " "))
          .contains(problem);
    }
  }

  @Test
  void ruleFiles_needNoConfiguration_andKeepTheirOrder() throws IOException {
    String first = rules("1.yaml", "{match: {program: [sshd]}, set: {sourcetype: own}}");
    String second =
        rules(
            "2.yaml",
            "{match: {program: [cron]}, set: {sourcetype: cron}}",
            "{match: {program: ['*']}, set: {sourcetype: any, index: os}}");
    String input = "<38>Oct 11 2023 22:14:15 web-1 sshd[7]: x\n<38>su: y\nz";
    Commands.Said said = alone(0, input, "--rules", first, "--rules", second);
    assertThat(said.out())
        .containsSubsequence(
            "rule        1 (" + first + ":2)",
            "time        2023-10-11T22:14:15.000Z (the sender's)",
            "sourcetype  own",
            "rule        3 (" + second + ":3)",
            "index       os",
            "rule        none, the defaults",
            "sourcetype  syslog");
    assertThat(said.err()).isEmpty();
    assertThat(Commands.run(2, null, "route", "--rules", folder + "/none.yaml").err())
        .isEqualTo(
            "nothing is tried, since a file is not right:\nduplog: "
                + folder
                + "/none.yaml: can't be read (no such file)\n");
    assertThat(Commands.run(2, null, "route", "--rules", config.toString()).err())
        .contains(config + ":1: streams is not a known key");
  }

  @Test
  void rules_comeFromAConfigurationOrFromFiles() throws IOException {
    String file = rules("1.yaml", "{match: {program: [sshd]}, set: {sourcetype: own}}");
    assertThat(Commands.run(2, config, "route", "--rules", file).err())
        .contains("--config", "--rules", "mutually exclusive");
    assertThat(Commands.run(2, null, "route").err())
        .contains("Missing required argument", "--config=FILE", "--rules=FILE");
    assertThat(Commands.run(2, null, "route", "--rule", file).err())
        .contains("Unknown option", "--rule'", "--rules");
    Files.writeString(config, "streams: [{name: a}, {name: b, port: 5673}]\nsink: {type: stdout}");
    assertThat(Commands.run(2, config, "route").err())
        .contains(config + ": sink.hec is missing", "--rules tries a rule file without it");
  }

  @Test
  void lineThatARuleDropsOrMasks_isShownWithBoth() throws IOException {
    String file =
        rules(
            "1.yaml",
            "{match: {message: noise}, drop: true}",
            "{match: {message: chatter}, sample: 10}",
            "{match: {message: maybe}, drop: observe}",
            "{match: {message: maybe}, drop: observe, sample: 5}",
            "{match: {message: pin}, mask: [{pattern: '[0-9]+', replacement: '#'}]}",
            "{match: {message: keep}, drop: false}");
    String said = alone(0, "noise\nchatter\nmaybe pin 12\nkeep\nplain\n", "--rules", file).out();
    assertThat(said)
        .containsSubsequence(
            "line 1: noise\n",
            "  rule        none, the defaults\n  drop        yes, by rule 1 (" + file + ":2)\n",
            "line 2: chatter\n",
            "  drop        all but one of 10, by rule 2 (" + file + ":3)\n",
            "line 3: maybe pin 12\n",
            "  drop        no; only observed by rule 3 (" + file + ":4)\n",
            "  mask        5 (" + file + ":6)\n  becomes     maybe pin #\n",
            "line 4: keep\n",
            "  drop        no, by rule 6 (" + file + ":7)\n",
            "line 5: plain\n");
    assertThat(said.substring(said.indexOf("line 5"))).doesNotContain("drop ", "mask ");
    assertThat(alone(0, "noise\nmaybe pin 12\nplain", "--rules", file, "--json").out().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains(
                        "\"drop\":{\"rule\":1,\"place\":\""
                            + file
                            + ":2\",\"observed\":false,\"oneOf\":1,\"dropped\":true}"),
            line ->
                assertThat(line)
                    .contains(
                        "\"observed\":true,\"oneOf\":1,\"dropped\":false}",
                        "\"mask\":{\"rules\":[5],\"message\":\"maybe pin #\"}"),
            line -> assertThat(line).doesNotContain("\"drop\"", "\"mask\""));
  }

  @Test
  void rulesOfSeveralSinks_areThoseOfTheNamedSink_withTheirLines() throws IOException {
    Files.writeString(
        config,
        """
        streams: [{name: a}, {name: b, port: 5673}]
        sinks:
          plain: {type: stdout}
          archive:
            type: file
            file: {path: /var/log/m.log}
            routing:
              rules:
                - {match: {message: noise}, drop: true}
          splunk:
            type: hec
            hec:
              urls: [http://splunk:8088]
              token: t
              routing:
                rules:
                  - {match: {message: noise}, sample: 3}
        """);
    assertThat(run("noise").out()).contains("drop        yes, by rule 1 (" + config + ":9)");
    assertThat(run("noise", "--sink", "splunk").out())
        .contains("drop        all but one of 3, by rule 1 (" + config + ":17)");
    assertThat(Commands.run(2, config, "route", "--sink", "plain").err())
        .contains("sinks.plain is missing, or has no rules");
  }

  @Test
  void json_hasTheMatchedAndTheSetValues() throws IOException {
    String said =
        run(
                "<166>Oct 11 2023 22:14:15 FW-1.x : %ASA-6-302013: Built\t\"\n\u00ff\u009bsecret",
                "--json", "--sender", "10.1.2.3")
            .out();
    assertThat(said.replace(config.toString(), "duplog.yaml"))
        .isEqualTo(
            """
            {"line":1,"match":{"sender":"10.1.2.3","host":"FW-1.x","program":"%ASA-6-302013",\
            "facility":"local4","severity":"info",\
            "message":"<166>Oct 11 2023 22:14:15 FW-1.x : %ASA-6-302013: Built\\t\\"","event":null},\
            "rule":1,"place":"duplog.yaml:11","time":"2023-10-11T22:14:15.000Z",\
            "timeFrom":"message","hostFrom":"message","set":{"index":"netfw",\
            "sourcetype":"cisco:asa","source":null,"host":"FW-1.x",\
            "fields":{"env":"prod","kind":"fw"},"topic":null}}
            {"line":2,"match":{"sender":"10.1.2.3","host":null,"program":null,"facility":null,\
            "severity":null,"message":"\ufffd\ufffdsecret","event":null},"rule":2,"place":"duplog.yaml:13",\
            "time":"2023-10-12T06:00:00.000Z","timeFrom":"receipt","hostFrom":"configuration",\
            "set":{"index":null,"sourcetype":"syslog","source":"duplog","host":"vault",\
            "fields":{"env":"prod"},"topic":null}}
            """);
    JsonValue plain = JsonValue.parse(run("\u0085x", "--json").out());
    assertThat(plain.at("match").value().toString())
        .contains("sender=null", "host=null", "message=\ufffdx");
    assertThat(plain.at("rule").number()).isZero();
    assertThat(plain.at("place").value()).isNull();
    assertThat(plain.at("hostFrom").value()).isNull();
    assertThat(alone(0, "\u009b2Jx", "--json", "--rules", rules("no.yaml", ANY)).out())
        .contains("\"message\":\"\\u009b2Jx\"");
  }

  /** A condition that is added has its place in the output, too. */
  @Test
  void json_hasEveryKeyOfARule() throws IOException {
    JsonValue line = JsonValue.parse(run("x", "--json").out());
    for (Map.Entry<String, Class<?>> part :
        Map.<String, Class<?>>of(
                "match", RoutingConfig.Match.class, "set", RoutingConfig.Metadata.class)
            .entrySet()) {
      String[] keys =
          Arrays.stream(part.getValue().getRecordComponents())
              .map(RecordComponent::getName)
              .toArray(String[]::new);
      assertThat(((Map<?, ?>) line.at(part.getKey()).value()).keySet().toArray())
          .containsExactly((Object[]) keys);
    }
  }

  @Test
  void now_determinesTheYear() {
    String input = "<13>Dec 31 23:59:58 web-1 su: x\n<13>su: y";
    assertThat(run(input, "--now", "2020-01-01T01:00:00.25+01:00").out())
        .contains("2019-12-31T23:59:58.000Z (the sender's)")
        .contains("2020-01-01T00:00:00.250Z (the receipt's)");
    assertThat(run(input, "--now", "2019-12-31T00:00:00Z").out()).contains("2019-12-31T23:59:58");
    assertThat(run(input, "--now", "0000-01-01T00:00:00Z").out()).contains("0000-01-01T00:00:00");
    for (String bad :
        new String[] {"2020-01-01", "2020-01-01T00:00:00", "+10000-01-01T00:00:00Z"}) {
      assertThat(Commands.run(2, config, "route", "--now", bad).err())
          .contains("Invalid value for option '--now': must be an RFC 3339 instant such as")
          .contains(", not '" + bad + "'; nothing is tried");
    }
  }

  @Test
  void samples_mayExpectHostTimeIndexAndSource() throws IOException {
    String file =
        rules("1.yaml", "{match: {program: [su]}, set: {sourcetype: linux_secure, index: os}}");
    String header = "<38>Oct 11 22:14:15 web-1 su: x\n";
    String good =
        "linux_secure host=web-1 time=2023-10-12T00:14:15+02:00 index=os source=-\t"
            + header
            + "syslog host=- time=-\ttext\n";
    assertThat(tried(0, good, "--rules", file, "--now", "2023-10-12T06:00:00Z").out())
        .startsWith("2 samples, 2 as expected, 0 not;");
    assertThat(tried(1, good, "--rules", file, "--now", "2022-10-12T06:00:00Z").out())
        .startsWith(
            "samples.tsv:1: expected time=2023-10-11T22:14:15.000Z, got"
                + " time=2022-10-11T22:14:15.000Z by 1.yaml:2\n  <38>Oct 11 22:14:15 web-1");
    String bad = "syslog host=web-2 index=-\t" + header + "syslog time=2023-10-12T00:00:00Z\ttext";
    assertThat(tried(1, bad, "--rules", file).out())
        .isEqualTo(
            """
            samples.tsv:1: expected syslog host=web-2 index=-, got linux_secure host=web-1\
             index=os by 1.yaml:2
              <38>Oct 11 22:14:15 web-1 su: x
            samples.tsv:2: expected time=2023-10-12T00:00:00.000Z, got time=- of the defaults
              text
            2 samples, 0 as expected, 2 not; 0 match other rules, too, that give something else
            """);
  }

  @Test
  void samplesInJson_haveTheirExpectations_andTheSummaryIsSeparate() throws IOException {
    String file = rules("1.yaml", "{match: {program: [su]}, set: {sourcetype: own}}", ANY);
    String samples = "# two\nown host=web-1\t<13>su: x\nsyslog\ttext\n";
    Commands.Said said = tried(1, samples, "--rules", file, "--json");
    String[] lines = said.out().split("\n", -1);
    assertThat(lines[0])
        .startsWith("{\"line\":2,\"match\":{")
        .endsWith(
            ",\"expected\":{\"sourcetype\":\"own\",\"host\":\"web-1\"},"
                + "\"asExpected\":false,\"winsOver\":[\"1.yaml:3\"]}");
    assertThat(lines[1])
        .endsWith("\"expected\":{\"sourcetype\":\"syslog\"},\"asExpected\":true,\"winsOver\":[]}");
    assertThat(lines).hasSize(3);
    assertThat(said.err())
        .isEqualTo(
            "2 samples, 1 as expected, 1 not; 1 match other rules, too, that give something else\n");
  }

  @Test
  void invalidSample_isNamed_beforeAnyIsTested() throws IOException {
    String file = rules("1.yaml", ANY);
    Commands.Said said = tried(2, "wrong\tx\nsyslog hots=a\tx", "--rules", file);
    assertThat(said.out()).isEmpty();
    assertThat(said.err())
        .endsWith(
            "samples.tsv:2: must have host=, time=, index=, source= or topic= behind the sourcetype,"
                + " not 'hots=a'\n");
  }

  @Test
  void summary_countsEachSourcetype_sorted() throws IOException {
    String file = rules("1.yaml", "{match: {program: [su]}, set: {sourcetype: linux_secure}}");
    Commands.Said said = alone(0, "x\n<13>su: y\nz\n", "--rules", file, "--summary", "--json");
    assertThat(said.out()).hasLineCount(3);
    assertThat(said.err())
        .isEqualTo(
            """
            sourcetype    messages
            linux_secure         1
            syslog               2
            total                3
            """);
    String samples = "syslog\tx\nsyslog\t<13>su: y\nlinux_secure\t<13>su: y\n";
    assertThat(tried(1, samples, "--rules", file, "--summary").err())
        .isEqualTo(
            """
            sourcetype     samples  as expected
            linux_secure         1            1
            syslog               2            1
            total                3            2
            """);
    assertThat(alone(0, "", "--rules", file, "--summary").err()).endsWith("total              0\n");
  }

  private Commands.Said tried(int status, String samples, String... options) throws IOException {
    Path file = Files.writeString(folder.resolve("samples.tsv"), samples);
    List<String> words = Lists.newArrayList(options);
    words.addAll(0, List.of("route", "--expect", file.toString()));
    Commands.Said said = Commands.run(status, null, words.toArray(String[]::new));
    return new Commands.Said(
        said.out().replace(folder + "/", ""), said.err().replace(folder + "/", ""));
  }
}
