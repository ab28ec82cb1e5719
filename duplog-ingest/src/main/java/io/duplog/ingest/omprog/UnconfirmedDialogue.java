package io.duplog.ingest.omprog;

import io.duplog.ingest.batch.BatchIds;
import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.Batcher;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import io.duplog.wire.EncodedBatch;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bare lines, or transactions without confirmation. rsyslog forgets a message once it is in the
 * pipe, so the message is published as soon as possible, and held until RabbitMQ has confirmed it.
 *
 * <p>Marks of transactions are ignored, because rsyslog begins and commits them in quick succession
 * if they are not confirmed, and batches as small would cost every station too much. What comes
 * after a pause is published at once; in a flow, what comes within the linger goes into one batch.
 *
 * <p>A batch costs every station about the same, however small. Several queues would make as many
 * times the batches, each that much smaller, so the linger is counted for each batch.
 *
 * @see "docs/decisions/shim.md#linger"
 */
final class UnconfirmedDialogue implements Dialogue {
  private static final long ROOM_CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Longest time in nanoseconds that a message waits beyond the linger if there are many queues.
   */
  private static final long LONGEST_MORE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String stream;
  private final long lingerNanos;
  private final long patienceNanos;
  private final Publisher publisher;
  private final Time time;
  private final @Nullable Marks marks;
  private final Batcher batcher;
  private final BatchIds ids = new BatchIds();

  /** Time in nanoseconds before which only full batches are published. */
  private long nextCutNanos;

  /** Number of batches published since the batcher was last empty. */
  private int batches;

  /** Whether the conversation is ending, so that publishing no longer waits for room. */
  private boolean closing;

  UnconfirmedDialogue(
      OmprogSettings settings, BatchSettings batch, String stream, Publisher publisher, Time time) {
    this.stream = stream;
    this.lingerNanos = batch.linger().toNanos();
    this.patienceNanos = settings.patience().toNanos();
    this.publisher = publisher;
    this.time = time;
    this.marks =
        settings.mode() == Mode.TRANSACTIONS
            ? new Marks(settings.beginMark(), settings.commitMark())
            : null;
    this.batcher = new Batcher(batch, settings.senderPrefix(), publisher.queues(), this::publish);
    this.nextCutNanos = time.nanos();
  }

  @Override
  public void line(byte[] buffer, int offset, int length) throws IOException, InterruptedException {
    if (marks != null
        && (marks.isBegin(buffer, offset, length) || marks.isCommit(buffer, offset, length))) {
      return;
    }
    batcher.add(buffer, offset, length);
  }

  private void publish(EncodedBatch batch, int queue) throws InterruptedException {
    batches++;
    if (batcher.isEmpty()) { // otherwise other queues' messages would wait too long
      long more = (Math.min(batches, publisher.queues()) - 1) * lingerNanos;
      nextCutNanos = time.nanos() + lingerNanos + Math.min(more, LONGEST_MORE_NANOS);
      batches = 0;
    }
    publisher.submit(OutgoingBatch.of(batch, ids.next(), stream, time.millis(), queue));
    while (!closing && !publisher.awaitRoom(ROOM_CHECK_NANOS)) {
      // rsyslog waits, too, because its pipe is full
    }
  }

  @Override
  public void drained() throws IOException, InterruptedException {
    linger();
  }

  @Override
  public long linger() throws IOException, InterruptedException {
    if (batcher.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long rest = nextCutNanos - time.nanos();
    if (rest > 0) {
      return rest;
    }
    batcher.cut();
    return Long.MAX_VALUE;
  }

  /** Always true, because messages already read are published, or will be in {@link #closed}. */
  @Override
  public boolean isOver() {
    return true;
  }

  @Override
  public boolean isIdle() {
    return false;
  }

  @Override
  public long closed() throws IOException, InterruptedException {
    closing = true;
    batcher.cut();
    return publisher.awaitConfirmed(patienceNanos)
        ? 0
        : OutgoingBatch.messagesIn(publisher.withdraw());
  }
}
