package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
