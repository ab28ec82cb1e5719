package io.duplog.ingest.omprog;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a transaction whose COMMIT failed, and how far rsyslog has sent it again. They may
 * be in RabbitMQ or not; so they keep their ids, and are published again as they are.
 *
 * <p>rsyslog sends the same messages in the same order, but not always in one transaction: 8.2302
 * sends each in one of its own. So messages are compared, not transactions: as long as rsyslog's
 * lines are those of the batches, in order, the batches stand for them. The first other line ends
 * the expectation: a new message must never be taken for one that was published, and a repeated
 * batch with a new id is but a duplicate. For one thread.
 */
final class Resend {
  private static final BatchDecoder DECODER = new BatchDecoder(BatchLimits.DEFAULT);

  private final List<Kept> kept = new ArrayList<>();

  /** The message that is expected next. */
  private int batch;

  private int message;

  /** The message that was expected when the open transaction began. */
  private int committedMessage;

  /** Expects the messages of this batch after all others. */
  void add(OutgoingBatch outgoing) {
    kept.add(new Kept(outgoing));
  }

  /** Whether nothing is expected any more, and nothing stands for the open transaction. */
  boolean isEmpty() {
    return kept.isEmpty();
  }

  /** Whether this line is the one expected, so that a batch stands for it; then moves on. */
  boolean covers(byte[] buffer, int offset, int length) {
    if (batch == kept.size() || !kept.get(batch).holds(message, buffer, offset, length)) {
      return false;
    }
    message++;
    if (message == kept.get(batch).expected) {
      batch++;
      message = 0;
    }
    return true;
  }

  /** Expects no more: rsyslog has sent something else. */
  void expectNoMore() {
    while (kept.size() > batch + 1) {
      kept.remove(kept.size() - 1);
    }
    if (batch < kept.size()) {
      if (message == 0) {
        kept.remove(batch);
      } else {
        kept.get(batch).expected = message;
        batch++;
        message = 0;
      }
    }
  }

  /** Batches that stand for lines of the open transaction and are not confirmed. */
  List<OutgoingBatch> unconfirmed() {
    return touched().stream().filter(k -> !k.confirmed).map(k -> k.outgoing).toList();
  }

  /** The open transaction was committed, and with it what stands for its lines. */
  void committed() {
    touched().forEach(k -> k.confirmed = true);
    kept.subList(0, batch).clear();
    batch = 0;
    committedMessage = message;
  }

  /** The open transaction has failed: its lines are expected again. */
  void rewind() {
    if (!kept.isEmpty() && committedMessage == kept.get(0).expected) {
      kept.remove(0);
      committedMessage = 0;
    }
    batch = 0;
    message = committedMessage;
  }

  private List<Kept> touched() {
    return kept.subList(0, message > 0 ? batch + 1 : batch);
  }

  private static final class Kept {
    private final OutgoingBatch outgoing;
    private @Nullable MessageBatch messages;

    /** How many of its messages are expected, from the first one. */
    private int expected;

    private boolean confirmed;

    Kept(OutgoingBatch outgoing) {
      this.outgoing = outgoing;
      this.expected = outgoing.envelope().count();
    }

    boolean holds(int index, byte[] buffer, int offset, int length) {
      MessageBatch decoded = decoded();
      return Arrays.equals(
          decoded.data(),
          decoded.start(index),
          decoded.end(index),
          buffer,
          offset,
          offset + length);
    }

    private MessageBatch decoded() {
      MessageBatch decoded = messages;
      if (decoded == null) {
        try {
          decoded = DECODER.decode(outgoing.body(), outgoing.envelope().encoding());
        } catch (MalformedBatchException e) {
          throw new IllegalStateException("can't read our own batch", e);
        }
        messages = decoded;
      }
      return decoded;
    }
  }
}
