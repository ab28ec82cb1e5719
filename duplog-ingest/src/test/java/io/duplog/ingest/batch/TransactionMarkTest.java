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

/** Tests how a shim knows that the one before it broke off in mid-transaction. */
class TransactionMarkTest {
  private @TempDir Path folder;

  /**
   * Marks that are held, because a channel that nobody refers to is closed, and gives its lock
   * back.
   */
  private final List<TransactionMark> living = new ArrayList<>();

  private long nowMillis = 1_800_000_000_000L;

  /** Leaves the mark of a killed shim: its file stays, and its lock is released. */
  private void killed(String stream, int open) throws Exception {
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
    living.add(mark);
    return mark;
  }

  @Test
  void firstShim_hasNoPredecessorThatBrokeOff() throws Exception {
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
  void predecessorThatWasKilled_isKnownByItsMark(String stream, int open, boolean brokeOff)
      throws Exception {
    killed(stream, open);

    assertThat(mark().predecessorDiedInTransaction()).isEqualTo(brokeOff);
  }

  @Test
  void brokenOffTransaction_countsForEachShimOfTheNextMinute_becauseAnyMayBeTheSuccessor()
      throws Exception {
    killed("syslog-a", 1);
    assertThat(mark().predecessorDiedInTransaction()).isTrue();
    nowMillis += 59_000;
    assertThat(mark().predecessorDiedInTransaction()).isTrue();
    nowMillis += 2_000;
    assertThat(mark().predecessorDiedInTransaction()).isFalse();
    assertThat(files()).noneMatch(file -> file.endsWith(".broken"));
  }

  @Test
  void shimThatDiesBeforeItsFirstCommitFailed_leavesThatToTheNext_howeverLateItStarts()
      throws Exception {
    killed("syslog-a", 1);
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
  void shimThatLives_doesNotCount_becauseRsyslogsDiskQueueHasOneOfItsOwn() throws Exception {
    mark().markOpen();

    assertThat(mark().predecessorDiedInTransaction()).isFalse();
    assertThat(files()).hasSize(2).allMatch(file -> file.endsWith(".transaction"));
  }

  @Test
  void shimThatLeavesInOrder_removesItsFile_andOneInMidTransactionLeavesItsMark() throws Exception {
    mark().close();
    assertThat(files()).isEmpty();

    TransactionMark broken = mark();
    broken.markOpen();
    broken.close();
    assertThat(mark().predecessorDiedInTransaction()).isTrue();
  }

  @Test
  void linkAndFileOfAnotherForm_areLeftAlone() throws Exception {
    Path target = Files.write(folder.resolve("target"), new byte[] {1});
    Files.createSymbolicLink(folder.resolve("duplog-syslog-a-1.transaction"), target);
    Files.write(folder.resolve("duplog-syslog-a-x.transaction"), new byte[] {1});

    assertThat(mark().predecessorDiedInTransaction()).isFalse();
    assertThat(target).hasBinaryContent(new byte[] {1});
  }

  @Test
  void folderThatCantBeUsed_countsAsAPredecessorThatBrokeOff() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");

    TransactionMark mark = markIn(file);

    assertThat(mark.predecessorDiedInTransaction()).isTrue();
    mark.markOpen();
    mark.markClosed();
    mark.close();
  }

  @Test
  void folderThatCanBeUsedAgain_hasTheMarkOfTheNextTransaction() throws Exception {
    Path later = Files.writeString(folder.resolve("later"), "");
    TransactionMark mark = markIn(later);
    mark.markOpen();
    mark.markClosed();
    Files.delete(later);
    Files.createDirectory(later);

    mark.markOpen();
    mark.close();
    assertThat(markIn(later).predecessorDiedInTransaction()).isTrue();
  }
}
