package io.duplog.ingest.batch;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MessageForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the messages of an rsyslog transaction, and succeeds only if RabbitMQ confirms all of
 * them. The batches that a failed transaction left in RabbitMQ are remembered, so that rsyslog may
 * send its messages again, individually or together.
 *
 * <p>No message is published before {@link #publish}, so that an interrupted transaction has no
 * effect. As an exception, a transaction larger than the configured limit is published in several
 * parts. Not thread-safe.
 */
public final class ConfirmedTransaction {

  /** Keeps rsyslog waiting; called periodically while RabbitMQ has not confirmed yet. */
  public interface KeepAlive {
    void send() throws IOException;
  }

  private static final Logger log = LoggerFactory.getLogger(ConfirmedTransaction.class);

  /**
   * Time after the start during which messages are compared with the batches that predecessors
   * left.
   */
  public static final Duration LEFTOVERS_TIMEOUT = Duration.ofMinutes(10);

  /**
   * Limit for the batches of failed transactions, as a multiple of the configured limit for one
   * transaction.
   */
  private static final int MAX_REMEMBERED_FACTOR = 4;

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

  /** Batches of the transaction that wait to be published. */
  private final List<OutgoingBatch> heldBatches = new ArrayList<>();

  private long heldBytes;

  /** Total size of the remembered batches of failed transactions. */
  private long rememberedBytes;

  /** Journals of predecessors, until rsyslog sends one of their messages. */
  private final List<Leftover> leftovers = new ArrayList<>();

  private long leftoversFoundNanos;

  /**
   * Whether messages of a predecessor are expected. rsyslog may first send other messages: after a
   * failed message, it continues with the following messages and repeats the failed one last.
   * Waiting for the expected messages is safe, because rsyslog is certain to send them. If a new
   * message is mistaken for an equal expected one, the expected one is published instead.
   */
  private boolean expectingPredecessors;

  /**
   * Creates an empty transaction.
   *
   * @param form how each message is built
   * @param patience maximum wait for RabbitMQ's confirms
   * @param interval time between two calls of {@code keepAlive}
   * @param keepAlive called by the waiting thread
   * @param mark stores published batches for a successor, and provides the journals of predecessors
   */
  public ConfirmedTransaction(
      BatchSettings settings,
      MessageForm form,
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
    this.batcher = new Batcher(settings, form, publisher.queues(), this::hold);
  }

  /**
   * Adds a message, unless a batch of a failed transaction covers it.
   *
   * @param withoutOthers whether rsyslog sends a failed transaction again without other messages in
   *     between, so that the first unexpected message shows that no expected message will follow
   * @return false if a part of the transaction had to be published and was not confirmed; the
   *     transaction has then failed
   */
  public boolean add(byte[] buffer, int offset, int length, boolean withoutOthers)
      throws IOException, InterruptedException {
    if (!leftovers.isEmpty()) {
      expectLeftovers(resend.digestOf(buffer, offset, length));
    }
    if (!resend.isEmpty()) {
      if (resend.claim(buffer, offset, length)) {
        return true;
      }
      if (withoutOthers && !expectingPredecessors) {
        expectNoMore();
      }
    }
    batcher.add(buffer, offset, length);
    // Completes the batches of all queues, because after a failure a prefix of the transaction is
    // expected.
    return heldBytes <= maxHeldBytes || publishAhead();
  }

  /**
   * Looks for journals of predecessors. The messages in a journal are expected as soon as the first
   * of them arrives; until then, rsyslog may be sending them to another shim.
   */
  public void seekLeftovers() {
    leftovers.clear();
    leftovers.addAll(mark.leftovers(resend::digestsOf));
    leftoversFoundNanos = time.nanos();
  }

  private void expectLeftovers(ByteBuffer digest) {
    if (time.nanos() - leftoversFoundNanos > LEFTOVERS_TIMEOUT.toNanos()) {
      leftovers.clear();
    }
    leftovers.removeIf(leftover -> !leftover.isAvailable());
    for (Leftover leftover : leftovers) {
      if (leftover.contains(digest)) {
        List<BatchJournal.Entry> entries = leftover.take();
        log.info(
            "the shim before this one was killed before rsyslog had its answer: its {} batches are"
                + " published again under their ids, so that nothing comes twice",
            entries.size());
        entries.forEach(this::expect);
      }
    }
    mark.journal().transactionFailed();
  }

  private void expect(BatchJournal.Entry entry) {
    OutgoingBatch batch = entry.batch();
    if (batch.queue() < publisher.queues()) { // this shim may have fewer queues than the dead one
      rememberedBytes += batch.body().length;
      BatchJournal.Position position = mark.journal().add(batch, entry.done());
      resend.expect(new Resend.TrackedBatch(batch, position), entry.done());
      expectingPredecessors = true;
    }
  }

  /**
   * Publishes a part of a transaction that is larger than the configured limit. If rsyslog sends
   * the transaction again, to this process or a successor, the part is published twice.
   */
  private boolean publishAhead() throws IOException, InterruptedException {
    boolean confirmed = publish();
    if (confirmed) {
      answered();
    }
    return confirmed;
  }

  /** Called when the batcher has completed a batch. The batch is held until {@link #publish}. */
  private void hold(EncodedBatch batch, int queue) {
    heldBatches.add(OutgoingBatch.of(batch, ids.next(), stream, time.millis(), queue));
    heldBytes += batch.body().length;
  }

  /**
   * Publishes the transaction's messages so far, and waits for RabbitMQ's confirms.
   *
   * @return false if RabbitMQ has not confirmed all batches in time; the transaction has then
   *     failed, and its batches are remembered until rsyslog sends it again
   */
  public boolean publish() throws IOException, InterruptedException {
    return publish(patienceNanos);
  }

  /**
   * Publishes as {@link #publish()} does.
   *
   * @param waitNanos maximum wait for RabbitMQ's confirms in nanoseconds
   */
  public boolean publish(long waitNanos) throws IOException, InterruptedException {
    batcher.completeAll();
    List<Resend.TrackedBatch> trackedBatches = heldBatches.stream().map(this::track).toList();
    resend.unconfirmed().forEach(publisher::submit);
    heldBatches.forEach(publisher::submit);
    boolean confirmed = awaitConfirmed(waitNanos);
    if (confirmed) {
      resend.transactionsConfirmed();
    } else {
      remember(heldBytes);
      resend.transactionsFailed(trackedBatches, publisher.withdraw());
      mark.journal().transactionFailed();
    }
    heldBatches.clear();
    heldBytes = 0;
    return confirmed;
  }

  private Resend.TrackedBatch track(OutgoingBatch batch) {
    return new Resend.TrackedBatch(batch, mark.journal().add(batch, new BitSet()));
  }

  /**
   * Called immediately before the answer to rsyslog, after {@link #publish} has returned true. From
   * now on, a successor must not expect these messages again.
   */
  public void answered() {
    resend.transactionsAnswered();
    mark.journal().transactionAnswered(resend.isEmpty());
    expectingPredecessors &= !resend.isEmpty();
  }

  /**
   * Accounts for the batches of a failed transaction; forgets all earlier ones if the limit is
   * exceeded.
   */
  private void remember(long bytes) {
    if (resend.isEmpty()) {
      rememberedBytes = 0;
    } else if (rememberedBytes + bytes > MAX_REMEMBERED_FACTOR * maxHeldBytes) {
      rememberedBytes = 0;
      expectNoMore();
    }
    rememberedBytes += bytes;
  }

  private boolean awaitConfirmed(long waitNanos) throws IOException, InterruptedException {
    long deadline = time.nanos() + waitNanos;
    long remainingNanos = waitNanos;
    while (remainingNanos > 0) {
      if (publisher.awaitConfirmed(Math.min(remainingNanos, keepAliveNanos))) {
        return true;
      }
      keepAlive.send();
      remainingNanos = deadline - time.nanos();
    }
    return false;
  }

  /** Drops messages that were added but not published. Called when the transaction has ended. */
  public void drop() {
    batcher.drop();
    heldBatches.clear();
    heldBytes = 0;
    resend.transactionsDropped();
  }

  /**
   * Forgets the batches of failed transactions. Messages that rsyslog still sends again are
   * published twice.
   */
  public void expectNoMore() {
    resend.expectNoMore();
    mark.journal().clear();
    expectingPredecessors = false;
  }

  /** Whether rsyslog has sent all messages of failed transactions again. */
  public boolean owesNothing() {
    return resend.isEmpty();
  }
}
