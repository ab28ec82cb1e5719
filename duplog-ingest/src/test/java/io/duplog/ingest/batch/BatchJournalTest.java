package io.duplog.ingest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.ingest.batch.BatchJournal.Entry;
import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.wire.BatchEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests which batches a shim finds in the file of the killed one before it. */
class BatchJournalTest {
  private static final int OWNER = 5;
  private static final int SIZE = 1024;

  private final ByteBuffer file = ByteBuffer.allocate(SIZE);
  private final BatchJournal journal = new BatchJournal(file, OWNER);
  private final OutgoingBatch first = batch("id-1", 3, "a", "", "c");
  private final OutgoingBatch second = batch("id-2", 0, "d");

  private static OutgoingBatch batch(String id, int queue, String... messages) {
    try (BatchEncoder encoder = new BatchEncoder(true, false)) {
      for (String message : messages) {
        byte[] bytes = ("h " + message).getBytes(StandardCharsets.US_ASCII);
        encoder.add(bytes, 0, bytes.length);
      }
      return OutgoingBatch.of(encoder.encode(), id, "syslog-a", 1_800_000_000_123L, queue);
    }
  }

  private static List<Entry> read(ByteBuffer file) {
    return BatchJournal.read(file, "syslog-a", OWNER);
  }

  private BatchJournal.Position hold(OutgoingBatch batch) {
    return Objects.requireNonNull(journal.add(batch, new BitSet()));
  }

  private static List<String> ids(ByteBuffer file) {
    return read(file).stream().map(entry -> entry.batch().envelope().id()).toList();
  }

  @Test
  void successor_findsWhatWasHeld_asItWas() {
    BatchJournal.Position position = hold(first);
    hold(second);
    position.markDone(2);

    List<Entry> entries = read(file);

    assertThat(entries).hasSize(2);
    OutgoingBatch found = entries.get(0).batch();
    assertThat(found.envelope()).isEqualTo(first.envelope());
    assertThat(found.queue()).isEqualTo(3);
    assertThat(found.body()).isEqualTo(first.body());
    assertThat(entries.get(0).done().stream()).containsExactly(2);
    assertThat(entries.get(1).done().isEmpty()).isTrue();
  }

  @Test
  void answeredTransaction_isForgotten_andAFailedOneStays() {
    hold(first);
    journal.transactionAnswered(true);
    assertThat(ids(file)).isEmpty();

    BatchJournal.Position failed = hold(first);
    journal.transactionFailed();
    hold(second);
    journal.transactionAnswered(false);
    assertThat(ids(file)).containsExactly("id-1");

    journal.clear();
    hold(second);
    failed.markDone(0); // its position is used by another entry
    assertThat(read(file)).singleElement().matches(entry -> entry.done().isEmpty());
  }

  @Test
  void batchWithoutRoom_isNotHeld() {
    OutgoingBatch large = batch("id-3", 0, "x".repeat(SIZE));
    assertThat(journal.add(large, new BitSet())).isNull();
    hold(first);
    assertThat(ids(file)).containsExactly("id-1");
  }

  @Test
  void fileOfAnotherRsyslog_orOfAnotherForm_countsForNothing() {
    hold(first);
    assertThat(BatchJournal.read(file, "syslog-a", 6)).isEmpty();
    assertThat(BatchJournal.read(file, "syslog-a", RsyslogProcess.UNKNOWN)).isEmpty();
    assertThat(read(file)).hasSize(1);
    assertThat(read(ByteBuffer.wrap(new byte[] {1}))).as("of an older release").isEmpty();
    file.put(15, (byte) 9);
    assertThat(read(file)).as("of a newer release").isEmpty();
  }

  /** An entry that the killed shim was writing counts whole, or not at all. */
  @Test
  void entryThatWasBeingWritten_isNotRead() {
    hold(first);
    byte[] before = file.array().clone();
    hold(second);
    byte[] after = file.array().clone();

    for (int cut = BatchJournal.HEADER_BYTES; cut <= SIZE; cut++) {
      byte[] torn = before.clone();
      System.arraycopy(
          after,
          BatchJournal.HEADER_BYTES,
          torn,
          BatchJournal.HEADER_BYTES,
          cut - BatchJournal.HEADER_BYTES);
      assertThat(ids(ByteBuffer.wrap(torn))).containsExactly("id-1");
    }
    assertThat(ids(ByteBuffer.wrap(after))).containsExactly("id-1", "id-2");
  }

  /** The disk lost some pages, or has an entry of an earlier round. */
  @Test
  void entryThatWasDamaged_isNotRead_norWhatIsBehindIt() {
    hold(first);
    int end = BatchJournal.HEADER_BYTES + file.getInt(28);
    hold(second);
    int bits = BatchJournal.HEADER_BYTES + 36;
    for (int at = BatchJournal.HEADER_BYTES; at < end; at++) {
      byte[] damaged = file.array().clone();
      damaged[at] ^= 0x41;
      assertThat(ids(ByteBuffer.wrap(damaged))).as("byte %d", at).hasSize(at == bits ? 2 : 0);
    }
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      byte[] damaged = file.array().clone();
      for (int j = 0; j < 3; j++) {
        damaged[24 + random.nextInt(SIZE - 24)] = (byte) random.nextInt();
      }
      assertThat(ids(ByteBuffer.wrap(damaged))).isSubsetOf("id-1", "id-2");
    }
  }
}
