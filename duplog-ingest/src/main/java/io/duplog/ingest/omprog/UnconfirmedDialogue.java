package io.duplog.ingest.omprog;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import io.duplog.wire.EncodedBatch;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bare lines, or transactions without confirmation. rsyslog has forgotten a message once it is in
 * the pipe; so it is published as soon as may be, and held until RabbitMQ has confirmed it.
 */
final class UnconfirmedDialogue implements Dialogue {
  private static final long ROOM_CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String stream;
  private final long lingerNanos;
  private final long patienceNanos;
  private final Publisher publisher;
  private final Time time;
  private final @Nullable Marks marks;
  private final Batcher batcher;
  private final BatchIds ids = BatchIds.random();

  /** When the oldest message that is being gathered came, where there is one. */
  private long gatheringSince;

  /** The last batch needs no room behind it: the wait for its confirm has an end. */
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
    this.batcher = new Batcher(batch, settings.senderPrefix(), this::publish);
  }

  @Override
  public void opened() {}

  @Override
  public void line(byte[] buffer, int offset, int length) throws IOException, InterruptedException {
    if (marks != null) {
      if (marks.isBegin(buffer, offset, length)) {
        return;
      }
      if (marks.isCommit(buffer, offset, length)) {
        batcher.cut();
        return;
      }
    }
    if (batcher.count() == 0) {
      gatheringSince = time.nanos();
    }
    batcher.add(buffer, offset, length);
  }

  private void publish(EncodedBatch batch) throws InterruptedException {
    publisher.submit(OutgoingBatch.of(batch, ids.next(), stream, time.millis()));
    while (!closing && !publisher.awaitRoom(ROOM_CHECK_NANOS)) {
      // rsyslog waits with us, before its full pipe
    }
  }

  @Override
  public void drained() {}

  @Override
  public long linger() throws IOException, InterruptedException {
    if (batcher.count() == 0) {
      return Long.MAX_VALUE;
    }
    long rest = gatheringSince + lingerNanos - time.nanos();
    if (rest > 0) {
      return rest;
    }
    batcher.cut();
    return Long.MAX_VALUE;
  }

  @Override
  public boolean takesUnfinishedLine() {
    return true;
  }

  @Override
  public long closed() throws IOException, InterruptedException {
    closing = true;
    batcher.cut();
    return publisher.awaitConfirmed(patienceNanos) ? 0 : publisher.withdraw();
  }
}
