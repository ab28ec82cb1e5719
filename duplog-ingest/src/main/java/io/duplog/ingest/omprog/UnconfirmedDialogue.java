package io.duplog.ingest.omprog;

import io.duplog.ingest.batch.BatchIds;
import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.Batcher;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MessageForm;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Talks to rsyslog in the modes without confirmation: it publishes messages as soon as possible,
 * because rsyslog forgets them. It keeps each message until RabbitMQ has confirmed it.
 *
 * <p>Begin and commit marks are ignored. rsyslog begins and commits unconfirmed transactions in
 * quick succession, and equally small batches would cost all programs on the path too much. A
 * message after a pause is published immediately. In a continuous flow, messages within the linger
 * time form one batch.
 *
 * <p>The cost of a batch hardly depends on its size. With several queues there would be several
 * times as many batches, each correspondingly smaller. Therefore the wait is one linger time per
 * batch.
 *
 * @see "docs/decisions/shim.md#linger"
 */
final class UnconfirmedDialogue implements Dialogue {
  private static final long SPACE_CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Maximum time in nanoseconds that a message waits beyond the linger time if there are many
   * queues.
   */
  private static final long MAX_EXTRA_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String stream;
  private final long lingerNanos;
  private final long patienceNanos;
  private final Publisher publisher;
  private final Time time;
  private final @Nullable Marks marks;
  private final Batcher batcher;
  private final BatchIds ids = new BatchIds();

  /** Time in nanoseconds before which only full batches are published. */
  private long lingerEndNanos;

  /** Number of batches published since the batcher was last empty. */
  private int batchesSinceEmpty;

  /**
   * Whether the conversation is ending, so that publishing no longer waits until the publisher
   * accepts more batches.
   */
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
    this.batcher =
        new Batcher(
            batch, MessageForm.ofText(settings.senderPrefix()), publisher.queues(), this::publish);
    this.lingerEndNanos = time.nanos();
  }

  @Override
  public void handleLine(byte[] buffer, int offset, int length)
      throws IOException, InterruptedException {
    if (marks != null
        && (marks.isBegin(buffer, offset, length) || marks.isCommit(buffer, offset, length))) {
      return;
    }
    batcher.add(buffer, offset, length);
  }

  private void publish(EncodedBatch batch, int queue) throws InterruptedException {
    batchesSinceEmpty++;
    if (batcher.isEmpty()) { // otherwise the messages of other queues would wait too long
      long extraNanos = (Math.min(batchesSinceEmpty, publisher.queues()) - 1) * lingerNanos;
      lingerEndNanos = time.nanos() + lingerNanos + Math.min(extraNanos, MAX_EXTRA_NANOS);
      batchesSinceEmpty = 0;
    }
    publisher.submit(OutgoingBatch.of(batch, ids.next(), stream, time.millis(), queue));
    while (!closing && !publisher.awaitRoom(SPACE_CHECK_NANOS)) {
      // meanwhile the pipe fills up, and rsyslog waits
    }
  }

  @Override
  public void linesHandled() throws IOException, InterruptedException {
    publishGathered();
  }

  @Override
  public long publishGathered() throws IOException, InterruptedException {
    if (batcher.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long remainingNanos = lingerEndNanos - time.nanos();
    if (remainingNanos > 0) {
      return remainingNanos;
    }
    batcher.completeAll();
    return Long.MAX_VALUE;
  }

  /**
   * Always true, because messages already read have been published, or {@link #ended} will publish
   * them.
   */
  @Override
  public boolean mayEnd() {
    return true;
  }

  @Override
  public boolean isIdle() {
    return false;
  }

  @Override
  public long ended() throws IOException, InterruptedException {
    closing = true;
    batcher.completeAll();
    return publisher.awaitConfirmed(patienceNanos)
        ? 0
        : OutgoingBatch.messagesIn(publisher.withdraw());
  }
}
