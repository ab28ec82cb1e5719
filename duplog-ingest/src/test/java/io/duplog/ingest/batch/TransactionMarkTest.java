package io.duplog.ingest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a shim detects whether its predecessor died within a transaction of rsyslog. */
class TransactionMarkTest {
  private @TempDir Path folder;

  /**
   * References to the marks of running shims; a channel without a reference would be closed and
   * release its lock.
   */
  private final List<TransactionMark> runningMarks = new ArrayList<>();

  private long nowMillis = 1_800_000_000_000L;

  /** Creates the file of a killed shim, which has no lock. */
  private void createDeadMark(String stream, int open) throws Exception {
    byte[] mark = {(byte) open};
    Files.write(folder.resolve("duplog-" + stream + "-" + open + ".transaction"), mark);
  }

  private List<String> files() throws Exception {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(file -> file.getFileName().toString()).toList();
    }
  }

  private TransactionMark markIn(Path where) {
    return TransactionMark.createIn(where, "syslog-a", 1, 4096, () -> nowMillis);
  }

  private TransactionMark mark() {
    TransactionMark mark = markIn(folder);
    runningMarks.add(mark);
    return mark;
  }

  @Test
  void predecessorDiedInTransaction_firstShim_isFalse() throws Exception {
    assertThat(mark().predecessorDiedInTransaction()).isFalse();
    assertThat(files()).singleElement().asString().endsWith(".transaction");
  }

  @ParameterizedTest
  @CsvSource({
    "syslog-a, 1, true",
    "syslog-a, 0, false",
    "syslog-b, 1, false",
    "syslog-a-b, 1, false"
  })
  void predecessorDiedInTransaction_killedPredecessor_dependsOnItsMark(
      String stream, int open, boolean expected) throws Exception {
    createDeadMark(stream, open);

    assertThat(mark().predecessorDiedInTransaction()).isEqualTo(expected);
  }

  @Test
  void predecessorDiedInTransaction_shimsWithinAMinute_isTrue() throws Exception {
    createDeadMark("syslog-a", 1);
    assertThat(mark().predecessorDiedInTransaction()).isTrue();
    nowMillis += 59_000;
    assertThat(mark().predecessorDiedInTransaction()).isTrue();
    nowMillis += 2_000;
    assertThat(mark().predecessorDiedInTransaction()).isFalse();
    assertThat(files()).noneMatch(file -> file.endsWith(".broken"));
  }

  @Test
  void predecessorDiedInTransaction_successorDiedBeforeFirstCommit_isTrue() throws Exception {
    createDeadMark("syslog-a", 1);
    markIn(folder).close();
    nowMillis += 3_600_000;
    TransactionMark next = markIn(folder);
    assertThat(next.predecessorDiedInTransaction()).isTrue();

    next.markClosed();
    next.close();
    nowMillis += 61_000;
    assertThat(mark().predecessorDiedInTransaction()).isFalse();
  }

  @Test
  void predecessorDiedInTransaction_otherShimRuns_isFalse() throws Exception {
    mark().markOpen();

    assertThat(mark().predecessorDiedInTransaction()).isFalse();
    assertThat(files()).hasSize(2).allMatch(file -> file.endsWith(".transaction"));
  }

  @Test
  void close_openTransaction_keepsTheFile() throws Exception {
    mark().close();
    assertThat(files()).isEmpty();

    TransactionMark openMark = mark();
    openMark.markOpen();
    openMark.close();
    assertThat(mark().predecessorDiedInTransaction()).isTrue();
  }

  @Test
  void createIn_linkOrOtherFileName_isIgnored() throws Exception {
    Path target = Files.write(folder.resolve("target"), new byte[] {1});
    Files.createSymbolicLink(folder.resolve("duplog-syslog-a-1.transaction"), target);
    Files.write(folder.resolve("duplog-syslog-a-x.transaction"), new byte[] {1});

    assertThat(mark().predecessorDiedInTransaction()).isFalse();
    assertThat(target).hasBinaryContent(new byte[] {1});
  }

  @Test
  void predecessorDiedInTransaction_unusableFolder_isTrue() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");

    TransactionMark mark = markIn(file);

    assertThat(mark.predecessorDiedInTransaction()).isTrue();
    mark.markOpen();
    mark.markClosed();
    mark.close();
  }

  @Test
  void markOpen_folderUsableAgain_createsTheFile() throws Exception {
    Path laterFolder = Files.writeString(folder.resolve("later"), "");
    TransactionMark mark = markIn(laterFolder);
    mark.markOpen();
    mark.markClosed();
    Files.delete(laterFolder);
    Files.createDirectory(laterFolder);

    mark.markOpen();
    mark.close();
    assertThat(markIn(laterFolder).predecessorDiedInTransaction()).isTrue();
  }
}
