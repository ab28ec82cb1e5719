package io.duplog.statement;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Tests that the archive of a day is verified against the signed statements of the same day. Two
 * bridges share the day, the archive's folder and the chain of statements. The archive begins an
 * hour before the day, and ends an hour after it.
 */
class ArchivedDayTest {
  private static final Instant MIDNIGHT = Instant.parse("2026-11-27T00:00:00Z");
  private static final String FROM = MIDNIGHT.toString();
  private static final String UNTIL = "2026-11-28T00:00:00Z";
  private static final int HOURS = 26;
  private static final String ATTACKED = "2026/11/27/05/bridge-1-00000007.log.zst";
  private static final String DAY_BEFORE = "2026/11/26/23/bridge-1-00000001.log.zst";

  @TempDir private static Path root;
  private static StatementStage stage;
  private static Path statements;
  private static Path whole;

  private Path archive;

  /** A bridge, whose archive has the clock of the last delivery. */
  private static final class ArchivingBridge implements AutoCloseable {
    private final int index;
    private final Bridge stated;
    private final AtomicReference<Instant> clock = new AtomicReference<>(stage.now);
    private final DeliveryRequests deliveries = new DeliveryRequests();
    private final Random random;
    private final Sink sink;

    ArchivingBridge(int index) throws Exception {
      this.index = index;
      this.random = new Random(index);
      String name = "bridge-" + index;
      this.stated = stage.new Bridge(name);
      Conditions board = new Conditions(System::nanoTime, () -> clock.get().toEpochMilli());
      this.sink = ArchiveSink.open(config(), new SinkContext(name, "kept", true, l -> {}, board));
    }

    private static ArchiveSinkConfig config() {
      return new ArchiveSinkConfig(
          whole.toString(),
          "%Y/%m/%d/%H/{bridge}-{n}.log",
          Compression.ZSTD,
          LineFormat.SENDER_AND_MESSAGE,
          Duration.ofHours(1),
          new ByteSize(1 << 30),
          new ByteSize(0));
    }

    /** Delivers messages of both streams. The other copy of each is at the other bridge. */
    void deliver(int hour) {
      clock.set(stage.now);
      String[] messages =
          IntStream.range(0, 500 + 10 * (hour % 12) + index)
              .mapToObj(
                  i ->
                      "10.20.1.%d <134>fw-%d: denied tcp 192.0.2.%d/%d"
                          .formatted(
                              i % 9, index, random.nextInt(256), 1024 + random.nextInt(60_000)))
              .toArray(String[]::new);
      int before = deliveries.accepted().size();
      sink.deliver(deliveries.ofSenders("hour " + hour, messages));
      Awaitility.await().until(() -> deliveries.accepted().size() > before);
      int fromFirst = messages.length / 2;
      stated.brings("a", messages.length, fromFirst);
      stated.brings("b", messages.length, messages.length - fromFirst);
    }

    @Override
    public void close() throws IOException {
      clock.set(stage.now);
      sink.close();
    }
  }

  @BeforeAll
  static void writeTheDay() throws Exception {
    stage = new StatementStage(root);
    stage.notComparedPerHour = 0;
    whole = Files.createDirectory(root.resolve("whole"));
    stage.now = MIDNIGHT.minus(Duration.ofHours(1));
    try (ArchivingBridge one = new ArchivingBridge(1);
        ArchivingBridge two = new ArchivingBridge(2)) {
      statements = one.stated.folder;
      for (int hour = 0; hour < HOURS; hour++) {
        stage.pass(Duration.ofMinutes(12), one.stated, two.stated);
        one.deliver(hour);
        two.deliver(hour);
        stage.pass(Duration.ofMinutes(48), one.stated, two.stated);
      }
      stage.pass(Duration.ofHours(1), one.stated, two.stated);
    }
  }

  @BeforeEach
  void copyTheArchive(@TempDir Path copy) throws IOException {
    archive = copy;
    try (Stream<Path> all = Files.walk(whole)) {
      for (Path each : all.toList()) {
        Files.copy(each, copy.resolve(whole.relativize(each).toString()), REPLACE_EXISTING);
      }
    }
  }

  private String verify(int status, String... period) {
    StringWriter out = new StringWriter();
    CommandLine duplog =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    Stream<String> arguments =
        Stream.of(
            "statement",
            "verify",
            statements.toString(),
            "--key",
            stage.publicKey.toString(),
            "--archive",
            archive.toString());
    int answer = duplog.execute(Stream.concat(arguments, Stream.of(period)).toArray(String[]::new));
    assertThat(answer).as(out.toString()).isEqualTo(status);
    return out.toString();
  }

  /** The size depends on the version of zstd, and the hash on the key. */
  private static String comparable(String text) {
    return text.replaceAll("hash [0-9a-f]+…?", "hash …").replaceAll("[0-9,]+ bytes", "… bytes");
  }

  @Test
  void wholeDay_isProvenAsThePageShows() {
    String day = verify(0, "--from", FROM, "--until", UNTIL);
    assertThat(day).contains("48 files with ").doesNotContain("WRONG", "note");
    assertThat(verify(0)).contains("52 files with ").doesNotContain("WRONG", "note");
    assertThat(comparable(Deployed.page("archive.md"))).contains(comparable(day).indent(4));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a file is removed              | WRONG: 2026/11/27/05/bridge-1-00000007.log.zst is missing; it had 561 messages
          a file is truncated            | it was truncated
          a file is extended             | it was extended
          a line is altered              | was altered: its SHA-256 is not that of the index
          another day's file is copied   | WRONG: 2026/11/27/05/bridge-1-00000099.log.zst is in no index
          another day's file replaces it | WRONG: 2026/11/27/05/bridge-1-00000007.log.zst has
          another bridge's file replaces | WRONG: 2026/11/27/05/bridge-1-00000007.log.zst has
          a line of the index is removed | WRONG: 2026/11/27/05/bridge-1-00000007.log.zst is in no index
          a line of the index is moved   | lines are missing, or were moved
          a line of the index is altered | has 561 messages, and not 560 as its index line says
          a file, and numbers forged     | WRONG: at least 561 messages of bridge-1 are not in the archive
          an index                       | WRONG: 2026/11/27/05/bridge-1-00000007.log.zst is in no index
          """)
  void tampering_isFound(String what, String problem) throws Exception {
    Path file = archive.resolve(ATTACKED);
    Path index = archive.resolve("index-bridge-1.jsonl");
    List<String> lines = Files.readAllLines(index);
    String line = lines.get(6);
    assertThat(line).contains(ATTACKED);
    String text = Files.readString(index);
    byte[] bytes = Files.readAllBytes(file);
    switch (what) {
      case "a file is removed" -> Files.delete(file);
      case "a file is truncated" -> Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
      case "a file is extended" -> Files.write(file, Arrays.copyOf(bytes, bytes.length + 1));
      case "a line is altered" -> alterLine(file, bytes.length);
      case "another day's file is copied" ->
          Files.copy(archive.resolve(DAY_BEFORE), file.resolveSibling("bridge-1-00000099.log.zst"));
      case "another day's file replaces it" ->
          Files.move(archive.resolve(DAY_BEFORE), file, REPLACE_EXISTING);
      case "another bridge's file replaces" ->
          Files.copy(file.resolveSibling("bridge-2-00000007.log.zst"), file, REPLACE_EXISTING);
      case "a line of the index is removed" ->
          Files.writeString(index, text.replace(line + "\n", ""));
      case "a line of the index is moved" ->
          Files.writeString(index, text.replace(line + "\n", "") + line + "\n");
      case "a line of the index is altered" ->
          Files.writeString(
              index, text.replace(line, line.replace("\"messages\":561", "\"messages\":560")));
      case "a file, and numbers forged" -> {
        Files.delete(file);
        StringBuilder forged = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
          String each = lines.get(i);
          String number = "{\"number\":" + (i + 1);
          forged.append(
              i < 6 ? each + "\n" : i == 6 ? "" : each.replace(number, "{\"number\":" + i) + "\n");
        }
        Files.writeString(index, forged);
      }
      case "an index" -> Files.delete(index);
      default -> throw new IllegalArgumentException(what);
    }
    assertThat(verify(1, "--from", FROM, "--until", UNTIL)).contains(problem);
  }

  /** Alters one digit. The file keeps its size, and can be decompressed. */
  private static void alterLine(Path file, int size) throws IOException {
    String text;
    try (InputStream lines = new ZstdInputStream(Files.newInputStream(file))) {
      text = new String(lines.readAllBytes(), US_ASCII);
    }
    ByteArrayOutputStream altered = new ByteArrayOutputStream();
    try (OutputStream lines = new ZstdOutputStream(altered)) {
      lines.write(text.replaceFirst("192[.]0[.]2[.]1", "192.0.2.2").getBytes(US_ASCII));
    }
    Files.write(file, Arrays.copyOf(altered.toByteArray(), size));
  }

  /** Nobody can tell this from an archive whose last file is still open. */
  @Test
  void lastFileRemovedWithItsLine_isANoteWithTheNumberOfMessages() throws Exception {
    Path index = archive.resolve("index-bridge-2.jsonl");
    List<String> lines = Files.readAllLines(index);
    Files.write(index, lines.subList(0, lines.size() - 2));
    Files.delete(archive.resolve("2026/11/27/23/bridge-2-00000025.log.zst"));
    Files.delete(archive.resolve("2026/11/28/00/bridge-2-00000026.log.zst"));

    assertThat(verify(0, "--from", FROM, "--until", UNTIL))
        .contains("note: 502 messages were delivered after the last closed file of bridge-2");
  }
}
