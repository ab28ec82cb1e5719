package io.duplog.benchmark.measure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergedStreamTest {
  private @TempDir Path directory;
  private Path first;
  private Path second;
  private MergedStream merged;

  @BeforeEach
  void twoBridges() {
    first = directory.resolve("first");
    second = directory.resolve("second");
    merged = new MergedStream(List.of(first, second));
  }

  @Test
  void lineInTwoWrites_isCountedOnceWhenWhole() throws IOException {
    assertThat(merged.poll()).as("no file is there yet").isZero();
    append(first, "one\ntw");
    assertThat(merged.poll()).isEqualTo(1);
    append(first, "o\n");
    append(second, "three\n");
    assertThat(merged.poll()).isEqualTo(3);

    assertHolds("one", "two", "three");
    assertThat(merged.linesOfEach()).containsExactly(2L, 1L);
  }

  @Test
  void tornLastLine_isCountedInTheEnd() throws IOException {
    append(first, "one\ntwo");
    merged.finish();

    Tally sent = tallyOf("one");
    assertThat(Reconciliation.of(List.of(sent), merged.tally()).corrupted()).isEqualTo(1);
  }

  @Test
  void renamedFile_isReadOn_besideTheNewOne() throws IOException {
    append(first, "one\n");
    merged.poll();
    Path renamed = Files.move(first, directory.resolve("first.1"));
    append(renamed, "two\n");
    append(first, "three\n");
    merged.finish();

    assertHolds("one", "two", "three");
  }

  @Test
  void tornLineThatWasCut_isForgotten() throws IOException {
    append(first, "one\ntorn");
    merged.poll();
    try (FileChannel file = FileChannel.open(first, StandardOpenOption.WRITE)) {
      file.truncate("one\n".length());
    }
    append(first, "two\n");
    merged.finish();

    assertHolds("one", "two");
  }

  @Test
  void existingLines_canBeSkipped() throws IOException {
    append(first, "old\n");
    merged.skipExisting();
    append(first, "new\n");
    merged.finish();

    assertHolds("new");
  }

  @Test
  void lineLongerThanTheBuffer_isOneLine() throws IOException {
    String line = "x".repeat(1_000_000);
    append(first, line + "\nnext\n");
    merged.finish();

    assertHolds(line, "next");
  }

  private void assertHolds(String... lines) {
    assertThat(Reconciliation.of(List.of(tallyOf(lines)), merged.tally()).isExact()).isTrue();
  }

  private static Tally tallyOf(String... lines) {
    Tally tally = new Tally();
    for (String line : lines) {
      tally.add(line.getBytes(UTF_8), 0, line.length());
    }
    return tally;
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
