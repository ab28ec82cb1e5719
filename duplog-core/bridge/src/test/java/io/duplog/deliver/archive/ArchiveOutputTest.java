package io.duplog.deliver.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import io.duplog.config.ByteSize;
import io.duplog.deliver.line.LineSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that an archive's files have every accepted message, whatever fails. */
class ArchiveOutputTest {
  private static final String FIRST_FILE = "2026/11/29/09/bridge-1-00000001.log.zst";

  @TempDir private Path root;
  private ArchiveStage stage;

  @BeforeEach
  void createStage() {
    stage = new ArchiveStage(root);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void acceptedMessage_isReadable_whileTheFileIsOpen(Compression compression) throws Exception {
    stage.compression = compression;
    LineSink sink = stage.sink();
    stage.deliver(sink, "one", "two\nlines");
    assertThat(stage.deliveries.accepted()).containsExactly("one", "two\nlines");
    assertThat(stage.files()).isEmpty();
    // What a crash leaves at this moment.
    Path torn = stage.parts().get(0);
    byte[] crashed = Files.readAllBytes(torn);
    sink.close();

    ArchiveStage after = new ArchiveStage(Files.createDirectory(root.resolve("after")));
    after.compression = compression;
    Files.write(after.root.resolve(torn.getFileName()), crashed);
    after.deliver(after.sink());
    assertThat(after.text()).isEqualTo("one\ntwo#012lines\n");
  }

  @Test
  void file_isClosedByTime_andItsLineInTheIndexDescribesIt() throws Exception {
    LineSink sink = stage.sink();
    stage.deliver(sink, "one");
    stage.now = stage.now.plusSeconds(30);
    stage.deliver(sink, "two");
    stage.now = Instant.parse("2026-11-29T10:00:00Z");
    sink.runOnce();
    assertThat(stage.files()).containsExactly(FIRST_FILE);
    assertThat(stage.text(FIRST_FILE)).isEqualTo("one\ntwo\n");
    assertThat(stage.parts()).isEmpty();

    ArchiveEntry entry = stage.entries().get(0);
    Path file = root.resolve(FIRST_FILE);
    assertThat(entry.number()).isEqualTo(1);
    assertThat(entry.bridge()).isEqualTo("bridge-1");
    assertThat(entry.file()).isEqualTo(FIRST_FILE);
    assertThat(entry.first()).isEqualTo("2026-11-29T09:59:00Z");
    assertThat(entry.last()).isEqualTo("2026-11-29T09:59:30Z");
    assertThat(entry.closed()).isEqualTo("2026-11-29T10:00:00Z");
    assertThat(entry.content())
        .isEqualTo(
            new ArchiveEntry.Content(
                2,
                Files.size(file),
                MoreFiles.asByteSource(file).hash(Hashing.sha256()).toString()));

    stage.deliver(sink, "three");
    sink.close();
    assertThat(stage.files())
        .hasSize(2)
        .last()
        .isEqualTo("2026/11/29/10/bridge-1-00000002.log.zst");
  }

  @Test
  void idleFile_isDue_whenItsTimeIsOver() throws Exception {
    ArchiveOutput output = stage.output();
    output.prepare();
    assertThat(output.idleNanos()).isEqualTo(Long.MAX_VALUE);
    output.append(ByteBuffer.wrap("one\n".getBytes(StandardCharsets.US_ASCII)));
    output.commit();
    assertThat(output.idleNanos()).isEqualTo(Duration.ofMinutes(1).toNanos());
    output.close();
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void files_areClosedBySize_andHaveAllLinesInOrder(Compression compression) throws Exception {
    stage.compression = compression;
    stage.maxSize = new ByteSize(4096);
    LineSink sink = stage.sink();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      String message = Hashing.sha256().hashInt(i) + " message " + i;
      expected.append(message).append('\n');
      stage.deliver(sink, message);
    }
    sink.close();
    assertThat(stage.files()).hasSizeBetween(4, 20);
    assertThat(stage.text()).isEqualTo(expected.toString());
    assertThat(stage.entries()).hasSameSizeAs(stage.files());
    assertThat(stage.entries().stream().mapToLong(entry -> entry.content().messages()).sum())
        .isEqualTo(400);
  }

  /** A crash may leave any beginning of what was written after the last commit. */
  @ParameterizedTest
  @EnumSource(Compression.class)
  void tornFile_isRecovered_atEveryByte(Compression compression) throws Exception {
    stage.compression = compression;
    LineSink sink = stage.sink();
    List<Long> sizes = new ArrayList<>();
    StringBuilder written = new StringBuilder();
    List<String> texts = new ArrayList<>(List.of(""));
    for (int i = 0; i < 5; i++) {
      stage.deliver(sink, "message " + i, "and " + Hashing.sha256().hashInt(i));
      sizes.add(Files.size(stage.parts().get(0)));
      written.append("message %d\nand %s\n".formatted(i, Hashing.sha256().hashInt(i)));
      texts.add(written.toString());
    }
    Path part = stage.parts().get(0);
    byte[] whole = Files.readAllBytes(part);
    for (int length = 0; length <= whole.length; length++) {
      int committed = 0;
      while (committed < sizes.size() && sizes.get(committed) <= length) {
        committed++;
      }
      assertRecovered(part, whole, length, texts.get(committed), written.toString());
    }
    sink.close();
  }

  private void assertRecovered(Path part, byte[] whole, int length, String accepted, String written)
      throws IOException {
    // A power failure may also leave zeros at the end.
    for (int zeros : new int[] {0, 7}) {
      Path folder = Files.createDirectory(root.resolve("torn-%d-%d".formatted(length, zeros)));
      ArchiveStage after = new ArchiveStage(folder);
      after.compression = stage.compression;
      byte[] torn = Arrays.copyOf(Arrays.copyOf(whole, length), length + zeros);
      Files.write(folder.resolve(part.getFileName()), torn);
      LineSink sink = after.sink();
      after.deliver(sink, "next");
      sink.close();
      String text = after.text();
      assertThat(text).as("%d bytes", length).startsWith(accepted).endsWith("next\n");
      assertThat(written).as("%d bytes", length).startsWith(text.substring(0, text.length() - 5));
      assertThat(after.parts()).isEmpty();
      assertThat(after.entries().stream().mapToLong(entry -> entry.content().messages()).sum())
          .isEqualTo(text.lines().count());
    }
  }

  @Test
  void crashBetweenIndexAndMove_isCompleted_withoutASecondLine() throws Exception {
    LineSink sink = stage.sink();
    stage.deliver(sink, "one");
    Path part = stage.parts().get(0);
    sink.close();
    // Puts the closed file back where it was before the last step.
    Files.move(root.resolve(FIRST_FILE), part);

    stage.deliver(stage.sink(), "two");
    assertThat(stage.text(FIRST_FILE)).isEqualTo("one\n");
    assertThat(stage.entries()).hasSize(1);
  }

  @Test
  void crashAfterTheCopyWasIndexed_isCompleted() throws Exception {
    LineSink sink = stage.sink();
    stage.deliver(sink, "one");
    Path part = stage.parts().get(0);
    byte[] torn = Files.readAllBytes(part);
    sink.close();
    Files.move(root.resolve(FIRST_FILE), root.resolve(part.getFileName() + ".copy"));
    Files.write(part, torn);

    stage.deliver(stage.sink());
    assertThat(stage.text(FIRST_FILE)).isEqualTo("one\n");
    assertThat(stage.parts()).isEmpty();
    assertThat(stage.entries()).hasSize(1);
  }

  @Test
  void tornLineOfTheIndex_isWrittenAgain() throws Exception {
    LineSink sink = stage.sink();
    stage.deliver(sink, "one");
    Path part = stage.parts().get(0);
    byte[] open = Files.readAllBytes(part);
    sink.close();
    Path index = root.resolve(ArchiveIndex.name("bridge-1"));
    byte[] line = Files.readAllBytes(index);
    Files.delete(root.resolve(FIRST_FILE));
    for (int length = 0; length < line.length; length += 13) {
      Files.write(index, Arrays.copyOf(line, length));
      Files.write(part, open);
      LineSink again = stage.sink();
      stage.deliver(again);
      again.close();
      assertThat(stage.entries()).hasSize(1);
      assertThat(stage.text()).isEqualTo("one\n");
      Files.delete(root.resolve(FIRST_FILE));
    }
  }

  @Test
  void failedSync_cutsTheGroup_andContinuesInANewFile() throws Exception {
    LineSink sink = stage.sink();
    stage.deliver(sink, "one");
    stage.disk.onForce = new IOException("Input/output error");
    stage.deliver(sink, "two", "three");
    assertThat(stage.deliveries.accepted()).containsExactly("one");
    assertThat(sink.isAvailable()).isFalse();

    stage.disk.onForce = null;
    stage.deliver(sink);
    assertThat(sink.isAvailable()).isTrue();
    assertThat(stage.deliveries.accepted()).containsExactly("one", "two", "three");
    sink.close();
    assertThat(stage.files()).hasSize(2);
    assertThat(stage.text()).isEqualTo("one\ntwo\nthree\n");
    assertThat(stage.entries()).hasSize(2);
  }

  @Test
  void failedSyncOfTheFirstGroup_leavesNoFile() throws Exception {
    LineSink sink = stage.sink();
    stage.disk.onForce = new IOException("Input/output error");
    stage.deliver(sink, "one");
    stage.disk.onForce = null;
    stage.deliver(sink);
    sink.close();
    assertThat(stage.files()).containsExactly(FIRST_FILE);
    assertThat(stage.text()).isEqualTo("one\n");
  }

  @Test
  void fullDisk_acceptsNothing_andLosesNothing() throws Exception {
    LineSink sink = stage.sink();
    stage.deliver(sink, "one");
    stage.disk.onWrite = new IOException("No space left on device");
    stage.disk.writesBeforeFailure = 3;
    stage.deliver(sink, "two");
    stage.deliver(sink);
    stage.deliver(sink, "three");
    assertThat(stage.deliveries.accepted()).containsExactly("one");

    stage.disk.onWrite = null;
    stage.deliver(sink);
    stage.deliver(sink);
    sink.close();
    assertThat(stage.text()).isEqualTo("one\ntwo\nthree\n");
    assertThat(stage.deliveries.accepted()).containsExactly("one", "two", "three");
  }

  @Test
  void fileThatCanNotBeCreated_isCreatedLater() throws Exception {
    LineSink sink = stage.sink();
    stage.disk.onCreate = new IOException("Read-only file system");
    stage.deliver(sink, "one");
    assertThat(stage.deliveries.accepted()).isEmpty();
    stage.disk.onCreate = null;
    stage.deliver(sink);
    sink.close();
    assertThat(stage.text()).isEqualTo("one\n");
  }

  @Test
  void lowSpace_makesTheSinkUnavailable_andSaysWhy() throws Exception {
    LineSink sink = stage.sink();
    stage.deliver(sink, "one");
    stage.freeBytes = 5 << 20;
    stage.deliver(sink, "two");
    assertThat(sink.isAvailable()).isFalse();
    assertThat(stage.deliveries.accepted()).containsExactly("one");
    ArchiveOutput output = new ArchiveStage(Files.createDirectory(root.resolve("b"))).output();
    output.close();
    assertThatThrownBy(() -> ArchiveOutput.requireSpace(stage.config(), 5 << 20))
        .hasMessage("its file system has 5 MiB free, which is less than min-free 1GiB");

    stage.freeBytes = 1L << 40;
    stage.deliver(sink);
    assertThat(sink.isAvailable()).isTrue();
    sink.close();
    assertThat(stage.text()).isEqualTo("one\ntwo\n");
  }

  @Test
  void existingFile_isNeverOverwritten() throws Exception {
    Path there = root.resolve(FIRST_FILE);
    Files.createDirectories(there.getParent());
    Files.writeString(there, "somebody's");
    LineSink sink = stage.sink();
    stage.deliver(sink, "one");
    assertThat(sink.isAvailable()).isFalse();
    assertThat(there).hasContent("somebody's");
    assertThat(stage.parts()).isEmpty();
    Files.delete(there);
    stage.deliver(sink);
    sink.close();
    assertThat(stage.text()).isEqualTo("one\n");
  }

  @Test
  void twoBridges_shareAFolder_butNotAName() throws Exception {
    ArchiveStage other = new ArchiveStage(root);
    other.bridge = "bridge 2";
    LineSink one = stage.sink();
    LineSink two = other.sink();
    stage.deliver(one, "one");
    other.deliver(two, "two");
    assertThatThrownBy(new ArchiveStage(root)::output)
        .hasMessage("another sink of a bridge with this name is writing to it");
    one.close();
    two.close();
    assertThat(stage.files())
        .containsExactly(FIRST_FILE, "2026/11/29/09/bridge_2-00000001.log.zst");
  }

  @Test
  void group_isForcedBeforeItIsAccepted() throws Exception {
    LineSink sink = stage.sink();
    stage.deliver(sink, "one");
    assertThat(stage.disk.forces).isEqualTo(1);
    stage.deliver(sink, "two");
    assertThat(stage.disk.forces).isEqualTo(2);
    stage.deliver(sink);
    assertThat(stage.disk.forces).isEqualTo(2);
    sink.close();
  }
}
