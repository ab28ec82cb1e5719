package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RouteCommandTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2023-10-12T06:00:00Z"), ZoneOffset.UTC);

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

  @Test
  void lines_areShownWithWhatTheyWouldGet() {
    String asa = "<166>Oct 11 2023 22:14:15 fw-1 : %ASA-6-302013: Built\n";
    String said = run(asa + "any \u00ff\u001b[2Jsecret", "--sender", "10.1.2.3").out();
    assertThat(said.replace(config.toString(), "duplog.yaml"))
        .isEqualTo(
            """
            line 1: 10.1.2.3 <166>Oct 11 2023 22:14:15 fw-1 : %ASA-6-302013: Built
              rule        1 (duplog.yaml:11)
              time        2023-10-11T22:14:15.000Z (the sender's)
              host        fw-1 (the message's)
              index       netfw
              sourcetype  cisco:asa
              source      (the token's)
              fields      env=prod, kind=fw

            line 2: 10.1.2.3 any \ufffd?[2Jsecret
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
  void hostOfTheTable_isShown_andABadRowIsNamed() throws IOException {
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
  void sender_ofEachLine_isReadFromIt() {
    Commands.Said said = run("10.1.2.3 <13>%ASA-1: x\n10.2.2.3 <13>%ASA-1: x\n", "--with-sender");
    assertThat(said.out())
        .containsSubsequence(
            "line 1", "rule        1", "host        10.1.2.3 (the sender's address)")
        .containsSubsequence("line 2", "rule        none, the defaults", "host        10.2.2.3");
    assertThat(said.err()).isEmpty();
  }

  @Test
  void sender_ofNoLine_isNobody() {
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
  void samples_areComparedWithWhatIsExpected() throws IOException {
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
    assertThat(expect(2, good)).contains("duplog: samples.tsv: can't be read (");
  }

  private String expect(int status, String... options) {
    Commands.Said said =
        Commands.run(status, config, Lists.asList("route", options).toArray(String[]::new));
    return (said.out() + said.err()).replace(folder + "/", "");
  }

  @Test
  void ruleFileWithAnError_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("bad.yaml"), "rules:\n  - {set: {}}\n");
    Files.writeString(config, "      include: [%s]\n".formatted(file), StandardOpenOption.APPEND);
    String problem = "bad.yaml:2: rules[0].match is refused: a rule needs a condition";
    assertThat(expect(2)).contains("duplog: " + problem);
    for (String command : new String[] {"check", "bridge"}) {
      Commands.Said said = Commands.run(command.equals("bridge") ? 2 : 1, config, command);
      assertThat((said.out() + said.err()).replace(folder + "/", "")).contains(problem);
    }
  }
}
