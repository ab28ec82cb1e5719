package io.duplog.deliver.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.file.FileSinkConfig.Fsync;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.line.LineSink;
import io.duplog.deliver.line.LinesLostException;
import io.duplog.observe.Boards;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that lines written to a full or failing disk stay whole, and that rotated files are
 * continued correctly.
 */
@Timeout(60)
class FileOutputTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final FakeDisk disk = new FakeDisk();
  private long nanos = -5;

  private FileOutput output(Fsync fsync, FakeDisk on) throws IOException {
    FileSinkConfig config =
        new FileSinkConfig(
            "/m.log", LineFormat.MESSAGE, fsync, Duration.ofSeconds(2), new FileMode(0640));
    return new FileOutput(config, on, () -> nanos);
  }

  private FileOutput output(Fsync fsync) throws IOException {
    return output(fsync, disk);
  }

  private static ByteBuffer lines(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void write(FileOutput output, ByteBuffer lines) throws IOException {
    output.prepare();
    output.mark();
    output.append(lines);
    output.commit();
  }

  @Test
  void fullDisk_atEveryByte_leavesWholeLines_andGoesOnWithTheFirstThatIsMissing()
      throws IOException {
    String text = "one\n\ntwo two\nthree\n";
    for (int fits = 0; fits < text.length(); fits++) {
      for (int writesAtMost = 1; writesAtMost <= text.length(); writesAtMost++) {
        FakeDisk full = new FakeDisk();
        full.prefill("before\n");
        full.space = fits;
        full.writesAtMost = writesAtMost;
        FileOutput output = output(Fsync.ALWAYS, full);
        ByteBuffer lines = lines(text);
        output.prepare();
        output.mark();

        assertThatThrownBy(() -> output.append(lines)).hasMessage("No space left on device");
        String whole = text.substring(0, text.substring(0, fits).lastIndexOf('\n') + 1);
        assertThat(full.texts()).containsExactly("before\n" + whole);
        assertThat(lines.position()).isEqualTo(whole.length());
        assertThat(full.forces).isZero();

        full.space = 1000;
        output.prepare();
        output.append(lines);
        output.commit();
        assertThat(full.texts()).containsExactly("before\n" + text);
        assertThat(full.forcedBytes(0)).isEqualTo(7 + text.length());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"ALWAYS, 1, 2", "NEVER, 0, 0"})
  void fsync_alwaysOrNever_isForEachCommitThatHasLines(Fsync fsync, int first, int second)
      throws IOException {
    FileOutput output = output(fsync);
    write(output, lines("one\n"));
    assertThat(disk.forces).isEqualTo(first);
    nanos += 10 * SECOND;
    output.commit();
    assertThat(disk.forces).isEqualTo(first);
    write(output, lines("two\n"));
    output.reopen();
    output.prepare();
    output.close();
    assertThat(disk.forces).isEqualTo(fsync == Fsync.ALWAYS ? second + 1 : second);
    assertThat(output.idleNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void fsyncInterval_forcesWhenItIsTime_evenWhenIdle_andAtTheEnd() throws IOException {
    FileOutput output = output(Fsync.INTERVAL);
    write(output, lines("one\n"));
    assertThat(disk.forces).isZero();
    assertThat(output.idleNanos()).isEqualTo(2 * SECOND);
    nanos += 2 * SECOND - 1;
    output.commit();
    assertThat(disk.forces).isZero();
    assertThat(output.idleNanos()).isEqualTo(1);
    nanos += 1;
    output.commit();
    assertThat(disk.forces).isEqualTo(1);
    assertThat(output.idleNanos()).isEqualTo(Long.MAX_VALUE);
    write(output, lines("two\n"));
    assertThat(disk.forces).isEqualTo(1);
    output.close();
    assertThat(disk.forces).isEqualTo(2);
    assertThat(disk.open).isZero();
  }

  @Test
  void tornLineOfACrash_onAFullDisk_isEndedLater() throws IOException {
    disk.prefill("to");
    disk.space = 0;
    FileOutput output = output(Fsync.ALWAYS);
    assertThatThrownBy(output::prepare).hasMessage("No space left on device");
    disk.space = 100;
    write(output, lines("torn\n"));
    assertThat(disk.texts()).containsExactly("to\ntorn\n");
  }

  @Test
  void reopen_forcesTheOldFile_andGoesOnInTheNew() throws IOException {
    FileOutput output = output(Fsync.INTERVAL);
    write(output, lines("one\n"));
    disk.rotate();
    output.reopen();
    write(output, lines("two\n"));
    assertThat(disk.forcedBytes(0)).isEqualTo(4);
    assertThat(disk.texts()).containsExactly("one\n", "two\n");
    assertThat(disk.open).isEqualTo(1);
  }

  /** A program that compresses the moved file may read it at once, and only once. */
  @Test
  void movedFile_isNoticedBeforeTheNextLines_withoutBeingTold() throws IOException {
    FileOutput output = output(Fsync.ALWAYS);
    write(output, lines("one\n"));
    disk.rotate();
    write(output, lines("two\n"));
    assertThat(disk.texts()).containsExactly("one\n", "two\n");
  }

  @Test
  void newFileThatCannotBeOpened_isTriedAgain_andTheOldOneIsLeftAlone() throws IOException {
    FileOutput output = output(Fsync.ALWAYS);
    write(output, lines("one\n"));
    disk.rotate();
    disk.onOpen = new IOException("permission denied");
    output.reopen();
    assertThatThrownBy(output::prepare).hasMessage("permission denied");
    assertThatThrownBy(output::prepare).hasMessage("permission denied");
    assertThatThrownBy(() -> output.append(lines("two\n"))).hasMessage("it is not open");
    output.commit();
    disk.onOpen = null;
    write(output, lines("two\n"));
    assertThat(disk.texts()).containsExactly("one\n", "two\n");
  }

  @Test
  void rotationWhileTheDiskIsFull_leavesNoPartOfALineInTheOldFile() throws IOException {
    FileOutput output = output(Fsync.ALWAYS);
    ByteBuffer lines = lines("one\ntwo\n");
    output.prepare();
    disk.space = 6;
    assertThatThrownBy(() -> output.append(lines)).isInstanceOf(IOException.class);
    disk.rotate();
    output.reopen();
    disk.space = 100;
    output.prepare();
    output.append(lines);
    output.commit();
    assertThat(disk.forcedBytes(0)).isEqualTo(4);
    assertThat(disk.texts()).containsExactly("one\n", "two\n");
  }

  @Test
  void rotatedFileThatCannotBeForced_isLeft_andItsLinesCountAsLost() throws IOException {
    FileOutput output = output(Fsync.ALWAYS);
    output.prepare();
    output.mark();
    output.append(lines("one\n"));
    disk.rotate();
    disk.onForce = new IOException("Input/output error");
    output.reopen();
    assertThatThrownBy(output::prepare).isInstanceOf(LinesLostException.class);
    disk.onForce = null;
    output.prepare();
    output.append(lines("one\n"));
    output.commit();
    assertThat(disk.texts()).containsExactly("", "one\n");
    assertThat(disk.open).isEqualTo(1);
  }

  /** Partial writes, full disks, failed cuts and failed forces come in any order. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7})
  void sinkOnAFlakyDisk_losesNothing_repeatsNothing_tearsNothing(long seed) throws IOException {
    Random random = new Random(seed);
    LineSink sink =
        new LineSink(
            output(Fsync.ALWAYS),
            LineFormat.MESSAGE,
            SinkContext.ofOnly(line -> {}, Boards.at(() -> nanos)));
    DeliveryRequests deliveries = new DeliveryRequests();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      String message = "message " + i + " " + "x".repeat(i % 50);
      expected.append(message).append('\n');
      sink.deliver(deliveries.ofPlainBody("p" + i, message));
      if (random.nextInt(3) == 0) {
        disk.space = random.nextInt(200);
        disk.writesAtMost = 1 + random.nextInt(100);
        disk.onForce = failure(random, 4);
        disk.onTruncate = failure(random, 4);
        disk.onWrite = failure(random, 4);
        nanos += sink.runOnce();
        assertThat(disk.forcedBytes(0))
            .isGreaterThanOrEqualTo(lengthOf(expected, deliveries.accepted().size()));
      }
    }
    disk.space = 1L << 40;
    disk.onForce = null;
    disk.onTruncate = null;
    disk.onWrite = null;
    while (deliveries.accepted().size() < 1000) {
      nanos += sink.runOnce();
    }
    assertThat(disk.texts()).containsExactly(expected.toString());
  }

  /** Returns the length of this many first lines. */
  private static int lengthOf(StringBuilder text, int lines) {
    int end = 0;
    for (int i = 0; i < lines; i++) {
      end = text.indexOf("\n", end) + 1;
    }
    return end;
  }

  private static @Nullable IOException failure(Random random, int oneIn) {
    return random.nextInt(oneIn) == 0 ? new IOException("No space left on device") : null;
  }
}
