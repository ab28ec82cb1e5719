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
 * Tests the judge of the scenarios: one fault in a million messages must show, with its kind and
 * its number. The file of one bridge holds all messages except one; that of the other bridge holds
 * what became of it.
 */
class ReconciliationTest {
  private static final int MANY = 1_000_000;
  private static final int VICTIM = 654_321;

  /** Step that is prime to MANY, so that its multiples meet each number once. */
  private static final long STRIDE = 7_654_321;

  private static final NumberedLines LINES = NumberedLines.plain(7);

  private static @TempDir Path folder;
  private static Path allButOne;

  @BeforeAll
  static void write_allButOne_inAnyOrder() throws IOException {
    allButOne = folder.resolve("all-but-one");
    byte[] line = new byte[LINES.length() + 1];
    line[LINES.length()] = '\n';
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(allButOne), 1 << 20)) {
      for (long i = 0; i < MANY; i++) {
        long serial = i * STRIDE % MANY;
        if (serial != VICTIM) {
          LINES.write(serial, line, 0);
          out.write(line);
        }
      }
    }
  }

  static Stream<Arguments> rests() {
    String victim = whole(VICTIM);
    byte[] other = new byte[LINES.length()];
    NumberedLines.plain(8).write(VICTIM, other, 0);
    return Stream.of(
        rest("all, in any order", 0, 0, 0, victim),
        rest("one dropped", 1, 0, 0),
        rest("one repeated", 0, 1, 0, victim, victim),
        rest("two repeated, one twice", 0, 3, 0, victim, victim, victim, whole(3)),
        rest("one in place of another", 1, 1, 0, whole(VICTIM + 1)),
        rest("the last byte altered", 1, 0, 1, victim.substring(0, victim.length() - 1) + "~"),
        rest("another's number", 1, 0, 1, victim.replace("654321", "654322")),
        rest("a number never sent", 1, 0, 1, victim.replace("000000654321", "999999654321")),
        rest("no number", 1, 0, 1, victim.replace("654321", "65432x")),
        rest("torn", 1, 0, 1, victim.substring(0, LINES.length() - 1)),
        rest("torn, and the next taken along", 1, 0, 1, victim.substring(0, 50) + whole(MANY)),
        rest("an empty line", 1, 0, 1, ""),
        rest("one never sent", 0, 0, 1, victim, whole(MANY)),
        rest("one far beyond", 0, 0, 1, victim, whole(3_000_000_000L)),
        rest("another run's", 1, 0, 1, new String(other, StandardCharsets.US_ASCII)));
  }

  private static Arguments rest(
      String what, int lost, int duplicated, int corrupted, String... lines) {
    long delivered = MANY - 1L + lines.length;
    return Arguments.of(
        what,
        new Reconciliation(MANY, 2L * MANY, delivered, lost, duplicated, corrupted),
        List.of(lines));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rests")
  void rest_isJudged(String what, Reconciliation expected, List<String> lines) throws IOException {
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
    Tally sent = Tally.ofFirst(MANY);
    assertThat(Reconciliation.of(Sent.of(List.of(sent, sent)), merged.tally())).isEqualTo(expected);
  }

  @Test
  void oneAlteredByte_whereverItIs_isNotTheMessage() {
    for (int place = 0; place < LINES.length(); place++) {
      byte[] altered = whole(VICTIM).getBytes(StandardCharsets.US_ASCII);
      altered[place] ^= 1;
      assertThat(LINES.serialOf(altered, 0, altered.length)).as("byte %s", place).isEqualTo(-1);
    }
  }

  private static String whole(long serial) {
    byte[] line = new byte[LINES.length()];
    LINES.write(serial, line, 0);
    return new String(line, StandardCharsets.US_ASCII);
  }
}
