package io.duplog.ingest.omprog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineReaderTest {

  @Test
  void lines_ofEveryLengthAtEveryPlace_areCutAtTheirEnds() throws Exception {
    for (int before = 0; before <= 17; before++) {
      for (int length = 0; length <= 17; length++) {
        List<String> lines = List.of("x".repeat(before), "y".repeat(length), "", "z");
        assertThat(read(lines, 64)).isEqualTo(lines);
      }
    }
  }

  /**
   * 0x0B and 0x8A differ from LF by the bits that a search of eight bytes at once might mistake.
   */
  @Test
  void bytesAlmostLf_endNoLine() throws Exception {
    for (int alike : new int[] {0x00, 0x09, 0x0B, 0x0D, 0x0E, 0x1A, 0x8A, 0x8B, 0xF5, 0xFF}) {
      for (int at = 0; at < 9; at++) {
        String line = "a".repeat(at) + (char) alike + "\u000b\u000b" + "b".repeat(8 - at);
        List<String> lines = List.of(line, line + line);
        assertThat(read(lines, 64)).isEqualTo(lines);
      }
    }
  }

  @Test
  void randomLines_readInRandomPieces_areTheSame() throws Exception {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      List<String> lines = new ArrayList<>();
      for (int i = random.nextInt(20); i >= 0; i--) {
        StringBuilder line = new StringBuilder();
        for (int j = random.nextInt(100); j > 0; j--) {
          char c = (char) random.nextInt(256);
          line.append(c == '\n' ? '\u000b' : c);
        }
        lines.add(line.toString());
      }
      assertThat(read(lines, 1 + random.nextInt(300))).isEqualTo(lines);
    }
  }

  @Test
  void lineBeyondTheLimit_losesItsRest_andTheNextIsWhole() throws Exception {
    LineReader reader = reader("a".repeat(40) + "\nnext\n", 8, 20);
    List<String> lines = drain(reader);
    assertThat(lines).containsExactly("a".repeat(20), "next");
    assertThat(reader.cutLines()).isEqualTo(1);
  }

  @Test
  void lineWithoutItsEnd_isHandedOverOnlyWhenAskedFor() throws Exception {
    LineReader reader = reader("whole\nhalf", 64, 100);
    assertThat(drain(reader)).containsExactly("whole");
    List<String> rest = new ArrayList<>();
    reader.drainUnfinished((buffer, from, length) -> rest.add(text(buffer, from, length)));
    assertThat(rest).containsExactly("half");
  }

  private static List<String> read(List<String> lines, int chunkBytes) throws Exception {
    return drain(reader(String.join("\n", lines) + "\n", chunkBytes, 1000));
  }

  private static LineReader reader(String text, int chunkBytes, int maxLineBytes) {
    return new LineReader(
        new ByteArrayInputStream(text.getBytes(ISO_8859_1)), chunkBytes, maxLineBytes);
  }

  private static List<String> drain(LineReader reader) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    while (reader.fill()) {
      reader.drain((buffer, from, length) -> lines.add(text(buffer, from, length)));
    }
    return lines;
  }

  private static String text(byte[] buffer, int from, int length) {
    return new String(buffer, from, length, ISO_8859_1);
  }
}
