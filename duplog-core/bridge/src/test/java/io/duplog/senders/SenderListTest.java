package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.cli.Commands;
import io.duplog.config.ConfigException;
import io.duplog.parts.Deployed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the administrator's file of expected senders is read, and that mistakes are named with
 * their line.
 */
class SenderListTest {
  private static final String LIST =
      """
      senders:
        - {sender: 10.1.2.7}
        - {sender: 10.1.2.8, one-path: true}
        - {sender: 10.1.2.9, every: 10m}
        - {sender: 10.1.2.10, mute-until: 2027-01-31}
        - {sender: 10.1.2.11, forget-before: 2026-11-30}
      """;

  @TempDir private Path folder;

  private Path file(String text) throws Exception {
    return Files.writeString(folder.resolve("senders.yaml"), text);
  }

  @Test
  void list_hasTheEntriesOfItsFile() throws Exception {
    SenderList list = SenderList.read(file(LIST));
    long end = Instant.parse("2027-01-31T00:00:00Z").toEpochMilli();

    assertThat(list.of("10.1.2.8").onePath()).isTrue();
    assertThat(list.of("10.1.2.7").onePath()).isFalse();
    assertThat(list.of("10.1.2.9").every()).isEqualTo(Duration.ofMinutes(10));
    assertThat(list.of("10.1.2.7").every()).isNull();
    assertThat(list.of("10.1.2.10").isMuted(end - 1)).isTrue();
    assertThat(list.of("10.1.2.10").isMuted(end)).isFalse();
    assertThat(list.of("10.1.2.7").isMuted(0)).isFalse();
    long day = Instant.parse("2026-11-30T00:00:00Z").toEpochMilli();
    assertThat(list.of("10.1.2.11").isMuted(day - 1)).isTrue();
    assertThat(list.of("10.1.2.11").isMuted(day)).isFalse();
    assertThat(list.of("10.1.2.11").isForgotten(day - 1, day)).isTrue();
    assertThat(list.of("10.1.2.11").isForgotten(day - 1, day - 1)).isFalse();
    assertThat(list.of("10.1.2.11").isForgotten(day, day)).isFalse();
    assertThat(list.of("10.1.2.7").isForgotten(0, day)).isFalse();
    assertThat(list.expectedSenders(end - 1))
        .containsExactlyInAnyOrder("10.1.2.7", "10.1.2.8", "10.1.2.9");
    assertThat(list.expectedSenders(end)).hasSize(4);
    assertThat(list.of("another").onePath() || list.of("another").isMuted(0)).isFalse();
  }

  @Test
  void listInTheDocument_isValid() throws Exception {
    String page =
        Files.readString(Deployed.checkout().resolve("docs/senders.md")).replaceAll(" +# .*", "");

    assertThat(page).contains(LIST);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          senders: []                                       | must have at least one element
          senders: [{sender: a}, {sender: b}, {sender: a}]  | must not have 'a' twice
          senders: [{sender: a, every: 0s}]                 | every must be longer than zero
          senders: [{sender: a, mute-until: soon}]          | must be a day such as 2027-01-31
          senders: [{sender: a, forget-before: 30.11.}]     | must be a day such as 2027-01-31
          senders: [{sender: a, mute: true}]                | mute
          senders: [{one-path: true}]                       | sender
          """)
  void invalidList_isRejected_withFileAndLine(String text, String problem) throws Exception {
    Path file = file(text);

    assertThatThrownBy(() -> SenderList.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(file + ":1: ")
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource({"check", "bridge"})
  void missingList_endsTheCommand_andIsNamed(String command) throws Exception {
    Path file = folder.resolve("none.yaml");
    Path config =
        Files.writeString(
            folder.resolve("duplog.yaml"),
            """
            name: one
            streams: [{name: a}, {name: b, port: 5673}]
            dedup: {store: memory}
            sink: {type: stdout}
            coverage: {sender-list: %s}
            """
                .formatted(file));

    assertThat(Commands.run(2, null, command, "--config", config.toString()).err())
        .contains("duplog: " + file + ": can't be read (no such file)");
  }
}
