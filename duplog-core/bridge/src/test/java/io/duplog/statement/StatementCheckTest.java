package io.duplog.statement;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.cli.Main;
import io.duplog.config.ByteSize;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.archive.ArchiveSink;
import io.duplog.deliver.archive.ArchiveSinkConfig;
import io.duplog.deliver.archive.Compression;
import io.duplog.deliver.line.LineFormat;
import io.duplog.observe.Conditions;
import io.duplog.parts.Deployed;
import io.duplog.statement.StatementStage.Bridge;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Tests that altered, missing, misplaced or forged statements are found when a folder of them is
 * verified.
 */
class StatementCheckTest {
  @TempDir private Path root;
  private StatementStage stage;
  private Bridge bridge;

  @BeforeEach
  void stateFiveHours() throws Exception {
    stage = new StatementStage(root);
    bridge = stage.new Bridge("one");
    for (int hour = 0; hour < 5; hour++) {
      bridge.brings("a", 12345, 12345);
      stage.pass(Duration.ofHours(1), bridge);
    }
  }

  private Path file(long number) {
    return bridge.folder.resolve(StatementFolder.name(number));
  }

  private String line(long number) throws Exception {
    return Files.readString(file(number)).trim();
  }

  private void write(long number, String line) throws Exception {
    Files.writeString(file(number), line + "\n");
  }

  /** Makes a statement as a forger would who knows everything but the key. */
  private String forged(SignedStatement before, Instant hour) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    return SignedStatement.of(before, hour, List.of(), null, pair.getPrivate()).line();
  }

  private static SignedStatement parsed(String line) {
    return java.util.Objects.requireNonNull(SignedStatement.parse(line));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a number of copies            | 3.json was altered
          a digit of the signature      | 3.json was altered
          an hour                       | 3.json was altered
          a space                       | 3.json was altered
          another key                   | 3.json was altered
          one that is missing           | 4.json follows statement 2: the statements in between are missing
          two that changed places       | 2.json contains statement 3
          a copy under the next number  | 6.json contains statement 2
          a file cut short              | 3.json is not a statement
          an empty file                 | 3.json is not a statement
          a line more                   | 3.json is not a statement
          the end of a line             | 3.json is not a statement
          one of another deployment     | 3.json was altered
          a stray file                  | notes.txt is not a statement
          a chain rewritten from there  | 3.json was altered
          the last one, with a time     | there is no statement after 2026-11-26T14:00:00Z
          the first one, with a time    | there is no statement before 2026-11-26T11:00:00Z
          all                           | there is no statement
          """)
  void tampering_isFound(String what, String problem) throws Exception {
    String third = line(3);
    Instant from = null;
    Instant until = null;
    switch (what) {
      case "a number of copies" -> write(3, third.replace("12345", "12344"));
      case "a digit of the signature" -> {
        int at = third.length() - 10;
        char other = third.charAt(at) == 'A' ? 'B' : 'A';
        write(3, third.substring(0, at) + other + third.substring(at + 1));
      }
      case "an hour" -> write(3, third.replace("T12:00:00Z", "T13:00:00Z"));
      case "a space" -> write(3, third.replace("\"number\":3", "\"number\": 3"));
      case "another key" ->
          write(3, forged(parsed(line(2)), Instant.parse("2026-11-26T12:00:00Z")));
      case "one that is missing" -> Files.delete(file(3));
      case "two that changed places" -> {
        write(3, line(2));
        write(2, third);
      }
      case "a copy under the next number" -> write(6, line(2));
      case "a file cut short" -> write(3, third.substring(0, third.length() / 2));
      case "an empty file" -> Files.writeString(file(3), "");
      case "a line more" -> write(3, third + "\n" + third);
      case "the end of a line" -> Files.writeString(file(3), third);
      case "one of another deployment" -> {
        StatementStage other = new StatementStage(Files.createDirectory(root.resolve("other")));
        Bridge theirs = other.new Bridge("one");
        other.pass(Duration.ofHours(5), theirs);
        Files.copy(theirs.folder.resolve(StatementFolder.name(3)), file(3), REPLACE_EXISTING);
      }
      case "a stray file" -> Files.writeString(bridge.folder.resolve("notes.txt"), "x");
      case "a chain rewritten from there" -> {
        SignedStatement before = parsed(line(2));
        for (int number = 3; number <= 5; number++) {
          String line = forged(before, before.hour().plusSeconds(3600));
          write(number, line);
          before = parsed(line);
        }
      }
      case "the last one, with a time" -> {
        Files.delete(file(5));
        until = Instant.parse("2026-11-26T15:00:00Z");
      }
      case "the first one, with a time" -> {
        Files.delete(file(1));
        from = Instant.parse("2026-11-26T10:00:00Z");
      }
      case "all" -> {
        for (int number = 1; number <= 5; number++) {
          Files.delete(file(number));
        }
      }
      default -> throw new IllegalArgumentException(what);
    }

    assertThat(check(from, until).problems())
        .anySatisfy(each -> assertThat(each).contains(problem));
  }

  @Test
  void hoursOutsideOfTheFolder_areAProblem_ifTheyWereAskedFor() throws Exception {
    assertThat(check(Instant.parse("2027-01-01T00:00:00Z"), null).problems())
        .containsExactly("there is no statement after 2026-11-26T15:00:00Z");
    assertThat(check(null, Instant.parse("2025-01-01T00:00:00Z")).problems())
        .containsExactly("there is no statement before 2026-11-26T10:00:00Z");
  }

  @Test
  void hoursThatNobodyStated_areAProblem_ifTheyWereAskedFor() throws Exception {
    SignedStatement last = parsed(line(5));
    Instant end = last.until();
    SignedStatement later =
        SignedStatement.of(
            last,
            end.plus(Duration.ofHours(4)),
            List.of(),
            null,
            StatementKeys.privateKey(stage.privateKey));
    write(6, later.line());

    assertThat(check(null, null).problems()).isEmpty();
    assertThat(check(null, null).notes())
        .contains("no bridge stated anything from %s to %s".formatted(end, later.hour()));
    assertThat(check(null, end).problems()).isEmpty();
    assertThat(check(later.hour(), null).problems()).isEmpty();
    assertThat(check(end.plus(Duration.ofHours(1)), null).problems())
        .singleElement()
        .asString()
        .startsWith("no bridge stated anything from ");
  }

  private StatementCheck check(@Nullable Instant from, @Nullable Instant until) throws Exception {
    return StatementCheck.of(bridge.folder, List.of(stage.publicKey), from, until);
  }

  /** A statement that is wrong can still be signed with the key, and then its numbers show it. */
  @Test
  void signedStatement_thatIsNotConserved_isFound() throws Exception {
    BridgePart part = parsed(line(5)).parts().get(0);
    StreamPart stream = part.streams().get(0);
    StreamPart wrong =
        new StreamPart("a", stream.before(), stream.received() - 1, stream.ends(), stream.after());
    BridgePart again =
        new BridgePart(
            part.bridge(),
            part.number(),
            part.hour(),
            part.from(),
            part.until(),
            true,
            0,
            new BridgeCounts(List.of(wrong), Map.of()));
    Instant hour = Instant.parse("2026-11-26T15:00:00Z");
    write(
        6,
        SignedStatement.of(
                parsed(line(5)),
                hour,
                List.of(again),
                null,
                StatementKeys.privateKey(stage.privateKey))
            .line());

    assertThat(bridge.check().problems())
        .anySatisfy(each -> assertThat(each).contains("has counts of stream a that don't add up"))
        .anySatisfy(each -> assertThat(each).contains("again"));
  }

  /** A part that came late counts for its own hour. */
  @Test
  void sum_isOfTheHoursThatPartsAreOf() throws Exception {
    Bridge late = stage.new Bridge("late");
    late.brings("b", 77, 77);
    stage.pass(Duration.ofSeconds(10), late);
    stage.pass(Duration.ofHours(2), bridge);
    Instant hour = Instant.parse("2026-11-26T15:00:00Z");

    assertThat(StatementTable.of(bridge.folder, hour, hour.plusSeconds(3600))).contains(" 77 ");
    assertThat(StatementTable.of(bridge.folder, hour.plusSeconds(3600), null))
        .doesNotContain(" 77 ");
  }

  private String run(int status, String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine duplog =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    assertThat(duplog.execute(arguments)).as(out.toString()).isEqualTo(status);
    return out.toString();
  }

  /** Two bridges share a day on which stream a misses two of ten messages an hour. */
  @Test
  void day_isProvenAsThePageShows() throws Exception {
    Bridge other = stage.new Bridge("two");
    stage.notComparedPerHour = 0;
    Instant midnight = Instant.parse("2026-11-27T00:00:00Z");
    stage.pass(Duration.between(stage.now, midnight), bridge, other);
    for (int hour = 0; hour < 24; hour++) {
      bridge.brings("a", 8, 5);
      other.brings("b", 10, 5);
      bridge.accepts("cisco:asa", "fw-1", 5);
      other.accepts("linux_secure", "web-1", 5);
      stage.pass(Duration.ofHours(1), bridge, other);
    }
    stage.pass(Duration.ofHours(1), bridge, other);
    String folder = bridge.folder.toString();
    String[] day = {"--from", midnight.toString(), "--until", "2026-11-28T00:00:00Z"};

    String verified = run(0, "statement", "verify", folder, "--key", stage.publicKey.toString());
    assertThat(
            run(
                0,
                "statement",
                "verify",
                folder,
                "--key",
                stage.publicKey.toString(),
                day[0],
                day[1],
                day[2],
                day[3]))
        .isEqualTo(verified);
    assertThat(Deployed.page("statements.md"))
        .contains(verified.replaceAll("hash [0-9a-f]+", "hash 5c1f…").indent(4))
        .contains(
            run(0, "statement", "sum", folder, day[0], day[1], day[2], day[3])
                .replaceAll("(?m)^([ab]) {7}", "syslog-$1")
                .indent(4)
                .replaceAll("(?m)^ +$", ""));
  }

  @Test
  void command_saysWhatIsWrong_andSums() throws Exception {
    String folder = bridge.folder.toString();
    String key = stage.publicKey.toString();
    assertThat(run(0, "statement", "verify", folder, "--key", key))
        .contains("5 statements, from 2026-11-26T10:00:00Z to 2026-11-26T15:00:00Z")
        .contains("nothing was altered");
    assertThat(run(0, "statement", "sum", folder, "--from", "2026-11-26T13:00:00Z"))
        .contains("20 messages were compared")
        .contains("24,690");
    write(2, line(2).replace("12345", "1"));
    assertThat(run(1, "statement", "verify", folder, "--key", key))
        .contains("WRONG: statement-000000002.json was altered")
        .contains("WRONG: statement-000000003.json does not continue the statement 2");
    assertThat(run(2, "statement", "verify", folder, "--key", folder)).contains("can't be read");
  }

  /** Writes the same messages into an archive, except for those of the missing hour. */
  private void archive(Path folder, int missingHour) throws Exception {
    Instant begin = StatementStage.BEGIN;
    AtomicReference<Instant> now = new AtomicReference<>(begin);
    Conditions board = new Conditions(System::nanoTime, () -> now.get().toEpochMilli());
    ArchiveSinkConfig config =
        new ArchiveSinkConfig(
            folder.toString(),
            "{bridge}-{n}",
            Compression.GZIP,
            LineFormat.MESSAGE,
            Duration.ofHours(1),
            new ByteSize(1 << 20),
            new ByteSize(0));
    DeliveryRequests deliveries = new DeliveryRequests();
    String[] messages = Collections.nCopies(12345, "message").toArray(String[]::new);
    List<String> expected = new ArrayList<>();
    try (Sink sink =
        ArchiveSink.open(config, new SinkContext("one", "sink", true, l -> {}, board))) {
      for (int hour = 0; hour < 5; hour++) {
        now.set(begin.plus(Duration.ofHours(hour)));
        if (hour != missingHour) {
          sink.deliver(deliveries.ofMessages("hour " + hour, messages));
          expected.add("hour " + hour);
          Awaitility.await().until(() -> deliveries.accepted().equals(expected));
        }
      }
      now.set(begin.plus(Duration.ofHours(5)));
    }
  }

  @Test
  void archive_isComparedWithTheStatedMessages() throws Exception {
    String folder = bridge.folder.toString();
    String key = stage.publicKey.toString();
    Path whole = Files.createDirectory(root.resolve("whole"));
    archive(whole, -1);
    assertThat(run(0, "statement", "verify", folder, "--key", key, "--archive", whole.toString()))
        .contains("5 files with 61,725 messages")
        .contains(": 61,725 delivered, 61,725 in the archive's files of that time");

    Path lacking = Files.createDirectory(root.resolve("lacking"));
    archive(lacking, 2);
    assertThat(run(0, "statement", "verify", "--archive", lacking.toString()))
        .contains("4 files with 49,380 messages");
    assertThat(run(1, "statement", "verify", folder, "--key", key, "--archive", lacking.toString()))
        .contains("WRONG: at least 12,345 messages of one are not in the archive");
  }

  @Test
  void archiveOfAnotherBridge_isNotCompared() throws Exception {
    bridge = stage.new Bridge("another one");
    stage.pass(Duration.ofHours(2), bridge);
    Path whole = Files.createDirectory(root.resolve("whole"));
    archive(whole, -1);
    String key = stage.publicKey.toString();
    assertThat(
            run(
                0,
                "statement",
                "verify",
                bridge.folder.toString(),
                "--key",
                key,
                "--from",
                "2026-11-26T16:00:00Z",
                "--archive",
                whole.toString()))
        .contains("nothing to compare for one");
  }
}
