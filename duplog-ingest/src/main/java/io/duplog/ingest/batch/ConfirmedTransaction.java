package io.duplog.ingest.batch;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import io.duplog.wire.EncodedBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction after the other of what rsyslog hands over, each of which RabbitMQ confirms as a
 * whole or which fails. What a failed one has left in RabbitMQ is remembered, so that rsyslog may
 * send its messages again, singly or together.
 *
 * <p>Nothing is published before {@link #publish}, so that a transaction that breaks off leaves no
 * trace; only if it is larger than what may be held, batches are published ahead. For one thread.
 */
public final class ConfirmedTransaction {

  /** Called again and again while RabbitMQ has not confirmed yet. */
  public interface KeepAlive {
    void beat() throws IOException;
  }

  private static final Logger log = LoggerFactory.getLogger(ConfirmedTransaction.class);

  /** Time for which messages are compared with those that a predecessor has left. */
  public static final Duration LEFTOVERS_COUNT = Duration.ofMinutes(10);

  /** Limit of what is remembered of failed transactions, as a multiple of what may be held. */
  private static final int MOST_REMEMBERED = 4;

  private final String stream;
  private final long maxHeldBytes;
  private final long patienceNanos;
  private final long keepAliveNanos;
  private final KeepAlive keepAlive;
  private final Publisher publisher;
  private final TransactionMark mark;
  private final Time time;
  private final Batcher batcher;
  private final BatchIds ids = new BatchIds();
  private final Resend resend = new Resend();

  /** Batches of the transaction, which wait to be published. */
  private final List<OutgoingBatch> heldBatches = new ArrayList<>();

  private long heldBytes;

  /** Bytes of the batches that failed transactions have left and that may be sent again. */
  private long rememberedBytes;

  /** Batches that predecessors have left, as long as none of their messages has come. */
  private final List<Leftover> leftovers = new ArrayList<>();

  private long soughtNanos;

  /**
   * Whether a predecessor's messages are expected. rsyslog may send others first: it goes on behind
   * a message that failed, and repeats it last. That is safe, since it sends them for sure: a new
   * message that is taken for one of them leaves that one to be published.
   */
  private boolean expectingPredecessors;

  /**
   * Makes one without messages.
   *
   * @param senderPrefixed whether each message begins with its sender's address and a space
   * @param patience longest wait for RabbitMQ's confirmation
   * @param keepAlive called as often as {@code interval} says, by the thread that waits
   * @param mark keeps what is published for a successor, and has what a predecessor has left
   */
  public ConfirmedTransaction(
      BatchSettings settings,
      boolean senderPrefixed,
      String stream,
      Publisher publisher,
      Duration patience,
      Duration interval,
      KeepAlive keepAlive,
      TransactionMark mark,
      Time time) {
    this.stream = stream;
    this.mark = mark;
    this.maxHeldBytes = settings.maxUnconfirmed().bytes();
    this.patienceNanos = patience.toNanos();
    this.keepAliveNanos = interval.toNanos();
    this.keepAlive = keepAlive;
    this.publisher = publisher;
    this.time = time;
    this.batcher = new Batcher(settings, senderPrefixed, publisher.queues(), this::hold);
  }

  /**
   * Adds a message, unless what a failed transaction has left stands for it.
   *
   * @param alone whether a failed transaction is sent again without other messages in between; then
   *     the first message that was not expected ends the expectation
   * @return false if batches had to be published ahead and were not confirmed: the transaction has
   *     failed
   */
  public boolean add(byte[] buffer, int offset, int length, boolean alone)
      throws IOException, InterruptedException {
    if (!leftovers.isEmpty()) {
      expectLeftovers(resend.digestOf(buffer, offset, length));
    }
    if (!resend.isEmpty()) {
      if (resend.covers(buffer, offset, length)) {
        return true;
      }
      if (alone && !expectingPredecessors) {
        expectNoMore();
      }
    }
    batcher.add(buffer, offset, length);
    // Cuts the batches of all queues, because after a failure a prefix of the transaction is
    // expected.
    return heldBytes <= maxHeldBytes || publishAhead();
  }

  /**
   * Looks at what predecessors have left. It is expected from the first of its messages on; until
   * then rsyslog may be sending it to another shim.
   */
  public void seekLeftovers() {
    leftovers.clear();
    leftovers.addAll(mark.leftovers(resend::digestsOf));
    soughtNanos = time.nanos();
  }

  private void expectLeftovers(ByteBuffer digest) {
    if (time.nanos() - soughtNanos > LEFTOVERS_COUNT.toNanos()) {
      leftovers.clear();
    }
    leftovers.removeIf(left -> !left.isLeft());
    for (Leftover left : leftovers) {
      if (left.holds(digest)) {
        List<BatchJournal.Entry> taken = left.take();
        log.info(
            "the shim before this one was killed before rsyslog had its answer: its {} batches are"
                + " published again under their ids, so that nothing comes twice",
            taken.size());
        taken.forEach(this::expect);
      }
    }
    mark.journal().keep();
  }

  private void expect(BatchJournal.Entry entry) {
    OutgoingBatch batch = entry.batch();
    if (batch.queue() < publisher.queues()) { // there may be fewer than the dead shim had
      rememberedBytes += batch.body().length;
      BatchJournal.Place place = mark.journal().hold(batch, entry.done());
      resend.expect(new Resend.Kept(batch, place), entry.done());
      expectingPredecessors = true;
    }
  }

  /**
   * Publishes a part of a transaction that is larger than what may be held. If rsyslog sends it
   * again, the part comes twice, in this process and in a successor.
   */
  private boolean publishAhead() throws IOException, InterruptedException {
    boolean confirmed = publish();
    if (confirmed) {
      answered();
    }
    return confirmed;
  }

  /** Called when the batcher has completed a batch, which is held until {@link #publish}. */
  private void hold(EncodedBatch batch, int queue) {
    heldBatches.add(OutgoingBatch.of(batch, ids.next(), stream, time.millis(), queue));
    heldBytes += batch.body().length;
  }

  /**
   * Publishes what there is of the transaction, and waits for RabbitMQ.
   *
   * @return false if RabbitMQ has not confirmed it in time; then the transaction has failed, and
   *     its batches are kept for when rsyslog sends it again
   */
  public boolean publish() throws IOException, InterruptedException {
    batcher.cut();
    List<Resend.Kept> kept = heldBatches.stream().map(this::keep).toList();
    resend.unconfirmed().forEach(publisher::submit);
    heldBatches.forEach(publisher::submit);
    boolean confirmed = awaitConfirmed();
    if (confirmed) {
      resend.committed();
    } else {
      remember(heldBytes);
      resend.failed(kept, publisher.withdraw());
      mark.journal().keep();
    }
    heldBatches.clear();
    heldBytes = 0;
    return confirmed;
  }

  private Resend.Kept keep(OutgoingBatch batch) {
    return new Resend.Kept(batch, mark.journal().hold(batch, new BitSet()));
  }

  /**
   * Called after {@link #publish} has returned true, right before rsyslog is told so: a successor
   * must not expect these messages any more.
   */
  public void answered() {
    resend.answered();
    mark.journal().answered(resend.isEmpty());
    expectingPredecessors &= !resend.isEmpty();
  }

  /** Makes room for what a failed transaction has left. */
  private void remember(long bytes) {
    if (resend.isEmpty()) {
      rememberedBytes = 0;
    } else if (rememberedBytes + bytes > MOST_REMEMBERED * maxHeldBytes) {
      rememberedBytes = 0;
      expectNoMore();
    }
    rememberedBytes += bytes;
  }

  private boolean awaitConfirmed() throws IOException, InterruptedException {
    long deadline = time.nanos() + patienceNanos;
    long rest = patienceNanos;
    while (rest > 0) {
      if (publisher.awaitConfirmed(Math.min(rest, keepAliveNanos))) {
        return true;
      }
      keepAlive.beat();
      rest = deadline - time.nanos();
    }
    return false;
  }

  /** Drops what was added and not published, because the transaction has ended. */
  public void drop() {
    batcher.drop();
    heldBatches.clear();
    heldBytes = 0;
    resend.brokeOff();
  }

  /** Forgets what failed transactions have left; their messages, sent again, come twice. */
  public void expectNoMore() {
    resend.expectNoMore();
    mark.journal().forget();
    expectingPredecessors = false;
  }

  /** Whether rsyslog owes no message of a failed transaction any more. */
  public boolean owesNothing() {
    return resend.isEmpty();
  }
}
