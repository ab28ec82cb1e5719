package io.duplog.ingest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.ingest.batch.BatchJournal.Entry;
import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.MessageForm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests that a shim recovers exactly the batches that its killed predecessor had stored in its
 * journal.
 */
class BatchJournalTest {
  private static final int OWNER = 5;
  private static final int SIZE = 1024;

  private final ByteBuffer file = ByteBuffer.allocate(SIZE);
  private final BatchJournal journal = new BatchJournal(file, OWNER);
  private final OutgoingBatch first = batch("id-1", 3, "a", "", "c");
  private final OutgoingBatch second = batch("id-2", 0, "d");

  private static OutgoingBatch batch(String id, int queue, String... messages) {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.SENDER_AND_TEXT, false)) {
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

  private BatchJournal.Position add(OutgoingBatch batch) {
    return Objects.requireNonNull(journal.add(batch, new BitSet()));
  }

  private static List<String> ids(ByteBuffer file) {
    return read(file).stream().map(entry -> entry.batch().envelope().id()).toList();
  }

  @Test
  void read_storedBatches_areUnchanged() {
    BatchJournal.Position position = add(first);
    add(second);
    position.markDone(2);

    List<Entry> entries = read(file);

    assertThat(entries).hasSize(2);
    OutgoingBatch firstRead = entries.get(0).batch();
    assertThat(firstRead.envelope()).isEqualTo(first.envelope());
    assertThat(firstRead.queue()).isEqualTo(3);
    assertThat(firstRead.body()).isEqualTo(first.body());
    assertThat(entries.get(0).done().stream()).containsExactly(2);
    assertThat(entries.get(1).done().isEmpty()).isTrue();
  }

  @Test
  void transactionAnswered_failedTransaction_keepsOnlyFailed() {
    add(first);
    journal.transactionAnswered(true);
    assertThat(ids(file)).isEmpty();

    BatchJournal.Position failedPosition = add(first);
    journal.transactionFailed();
    add(second);
    journal.transactionAnswered(false);
    assertThat(ids(file)).containsExactly("id-1");

    journal.clear();
    add(second);
    failedPosition.markDone(0); // its position is used by another entry
    assertThat(read(file)).singleElement().matches(entry -> entry.done().isEmpty());
  }

  @Test
  void add_noSpace_returnsNull() {
    OutgoingBatch large = batch("id-3", 0, "x".repeat(SIZE));
    assertThat(journal.add(large, new BitSet())).isNull();
    add(first);
    assertThat(ids(file)).containsExactly("id-1");
  }

  @Test
  void read_otherRsyslogOrFormat_returnsNothing() {
    add(first);
    assertThat(BatchJournal.read(file, "syslog-a", 6)).isEmpty();
    assertThat(BatchJournal.read(file, "syslog-a", RsyslogProcess.UNKNOWN)).isEmpty();
    assertThat(read(file)).hasSize(1);
    assertThat(read(ByteBuffer.wrap(new byte[] {1}))).as("of an older release").isEmpty();
    file.put(15, (byte) 9);
    assertThat(read(file)).as("of a newer release").isEmpty();
  }

  /** An entry that the shim was writing when it was killed is read completely or not at all. */
  @Test
  void read_partlyWrittenEntry_isSkipped() {
    add(first);
    byte[] before = file.array().clone();
    add(second);
    byte[] after = file.array().clone();

    for (int cut = BatchJournal.HEADER_BYTES; cut <= SIZE; cut++) {
      byte[] partlyWritten = before.clone();
      System.arraycopy(
          after,
          BatchJournal.HEADER_BYTES,
          partlyWritten,
          BatchJournal.HEADER_BYTES,
          cut - BatchJournal.HEADER_BYTES);
      assertThat(ids(ByteBuffer.wrap(partlyWritten))).containsExactly("id-1");
    }
    assertThat(ids(ByteBuffer.wrap(after))).containsExactly("id-1", "id-2");
  }

  /** The disk may have lost pages, or may contain an overwritten entry. */
  @Test
  void read_damagedEntry_endsTheEntries() {
    add(first);
    int end = BatchJournal.HEADER_BYTES + file.getInt(28);
    add(second);
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
