package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Sent;
import io.duplog.benchmark.load.Tally;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that comparing sent with delivered messages finds one lost, duplicated or altered message
 * among a million. The file of one bridge contains all messages but one. The file of the other
 * bridge contains the remaining lines.
 */
class ReconciliationTest {
  private static final int MESSAGE_COUNT = 1_000_000;
  private static final int MISSING_SERIAL = 654_321;

  /** Step that is coprime to MANY, so that its multiples meet each number once. */
  private static final long SERIAL_STEP = 7_654_321;

  private static final NumberedLines LINES = NumberedLines.plain(7);

  private static @TempDir Path folder;
  private static Path allButOne;

  @BeforeAll
  static void writeAllButOneInAnyOrder() throws IOException {
    allButOne = folder.resolve("all-but-one");
    byte[] line = new byte[LINES.length() + 1];
    line[LINES.length()] = '\n';
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(allButOne), 1 << 20)) {
      for (long i = 0; i < MESSAGE_COUNT; i++) {
        long serial = i * SERIAL_STEP % MESSAGE_COUNT;
        if (serial != MISSING_SERIAL) {
          LINES.write(serial, line, 0);
          out.write(line);
        }
      }
    }
  }

  static Stream<Arguments> remainingLines() {
    String missingLine = line(MISSING_SERIAL);
    byte[] other = new byte[LINES.length()];
    NumberedLines.plain(8).write(MISSING_SERIAL, other, 0);
    return Stream.of(
        newCase("all, in any order", 0, 0, 0, missingLine),
        newCase("one dropped", 1, 0, 0),
        newCase("one repeated", 0, 1, 0, missingLine, missingLine),
        newCase("two repeated, one twice", 0, 3, 0, missingLine, missingLine, missingLine, line(3)),
        newCase("one in place of another", 1, 1, 0, line(MISSING_SERIAL + 1)),
        newCase(
            "the last byte altered",
            1,
            0,
            1,
            missingLine.substring(0, missingLine.length() - 1) + "~"),
        newCase("another's number", 1, 0, 1, missingLine.replace("654321", "654322")),
        newCase(
            "a number never sent", 1, 0, 1, missingLine.replace("000000654321", "999999654321")),
        newCase("no number", 1, 0, 1, missingLine.replace("654321", "65432x")),
        newCase("truncated", 1, 0, 1, missingLine.substring(0, LINES.length() - 1)),
        newCase(
            "truncated, and joined with the next",
            1,
            0,
            1,
            missingLine.substring(0, 50) + line(MESSAGE_COUNT)),
        newCase("an empty line", 1, 0, 1, ""),
        newCase("one never sent", 0, 0, 1, missingLine, line(MESSAGE_COUNT)),
        newCase("a number far too high", 0, 0, 1, missingLine, line(3_000_000_000L)),
        newCase("another run's", 1, 0, 1, new String(other, StandardCharsets.US_ASCII)));
  }

  private static Arguments newCase(
      String name, int lost, int duplicated, int corrupted, String... lines) {
    long delivered = MESSAGE_COUNT - 1L + lines.length;
    return Arguments.of(
        name,
        new Reconciliation(
            MESSAGE_COUNT, 2L * MESSAGE_COUNT, delivered, lost, duplicated, corrupted),
        List.of(lines));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("remainingLines")
  void of_faultInOneOfManyMessages_countsItByKind(
      String name, Reconciliation expected, List<String> lines) throws IOException {
    List<Path> files = List.of(folder.resolve("first"), folder.resolve("second"));
    MergedStream merged = new MergedStream(files, LINES, () -> 1);
    try {
      Files.createLink(files.get(0), allButOne);
      Files.write(files.get(1), lines);
      merged.finish();
    } finally {
      merged.close();
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Tally sent = Tally.oneOfEach(MESSAGE_COUNT);
    assertThat(Reconciliation.of(Sent.of(List.of(sent, sent)), merged.tally())).isEqualTo(expected);
  }

  @Test
  void serialOf_oneByteAltered_isNegative() {
    for (int position = 0; position < LINES.length(); position++) {
      byte[] altered = line(MISSING_SERIAL).getBytes(StandardCharsets.US_ASCII);
      altered[position] ^= 1;
      assertThat(LINES.serialOf(altered, 0, altered.length)).as("byte %s", position).isEqualTo(-1);
    }
  }

  private static String line(long serial) {
    byte[] line = new byte[LINES.length()];
    LINES.write(serial, line, 0);
    return new String(line, StandardCharsets.US_ASCII);
  }
}
