package io.duplog.ingest.hec;

import io.duplog.ingest.batch.BatchIds;
import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.ConfirmedTransaction;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.MessageForm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the events of all clients. One thread takes all requests that wait, publishes them as
 * one transaction, and answers them when RabbitMQ has confirmed it. If RabbitMQ does not confirm in
 * time, the clients send their requests again. Events that RabbitMQ already has are then published
 * under the same batch ids, so that no event comes twice.
 *
 * @see "docs/decisions/hec-in.md#intake"
 */
final class Intake implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Intake.class);

  /**
   * Time after the last failure until the batches of failed transactions are forgotten. Otherwise a
   * new event could be mistaken for an equal one that its client has given up.
   */
  private static final long REMEMBER_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Represents all clients where the journal names the run of rsyslog that it is for. */
  private static final String RUN = "hec";

  private static final long POLL_MILLIS = 100;

  private final String stream;
  private final BatchSettings settings;
  private final long maxTransactionBytes;
  private final Publisher publisher;
  private final TransactionMark mark;
  private final Time time;
  private final ConfirmedTransaction transaction;
  private final BatchIds ids = new BatchIds();
  private final BlockingQueue<Submission> waiting = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::run, "hec-intake");
  private volatile boolean stopping;
  private volatile long runStartNanos;
  private long lastFailureNanos;

  /**
   * @param patience maximum wait of a client for its answer
   */
  Intake(
      BatchSettings settings,
      String stream,
      Publisher publisher,
      Duration patience,
      TransactionMark mark,
      Time time) {
    this.settings = settings;
    this.stream = stream;
    this.maxTransactionBytes = settings.maxUnconfirmed().bytes();
    this.publisher = publisher;
    this.mark = mark;
    this.time = time;
    this.transaction =
        new ConfirmedTransaction(
            settings,
            MessageForm.EVENT,
            stream,
            publisher,
            patience,
            patience,
            () -> {},
            mark,
            time);
    this.lastFailureNanos = time.nanos(); // a transaction of a predecessor may have failed
    // Clients outlive each shim, so the batches of every predecessor apply.
    mark.serve(RUN);
    transaction.seekLeftovers();
  }

  void start() {
    thread.start();
  }

  /** Returns the maximum size of a request's messages, which are published as one transaction. */
  long maxTransactionBytes() {
    return maxTransactionBytes;
  }

  /** Queues a request's events. The submission is answered later, by another thread. */
  void submit(Submission submission) {
    if (stopping) {
      submission.expire();
    } else {
      waiting.add(submission);
    }
  }

  /** Whether no transaction has taken longer than this. */
  boolean isAlive(Duration maxTransactionTime) {
    long start = runStartNanos;
    return start == 0 || time.nanos() - start < maxTransactionTime.toNanos();
  }

  private void run() {
    try {
      while (!stopping || !waiting.isEmpty()) {
        runOnce();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | LinkageError e) {
      log.error("A defect of Duplog's. The shim ends, and is started again.", e);
      Runtime.getRuntime().halt(1);
    }
  }

  /** Waits for requests, and publishes all that wait as one transaction. */
  void runOnce() throws InterruptedException {
    Submission first = waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
    List<Submission> group = new ArrayList<>();
    long bytes = 0;
    for (Submission next = first; next != null; next = waiting.poll()) {
      if (next.take()) {
        group.add(next);
        bytes += next.bytes();
      }
      Submission following = waiting.peek();
      // A transaction is never published in parts: part of a failed one would come twice.
      if (following != null && bytes + following.bytes() > maxTransactionBytes) {
        break;
      }
    }
    if (!group.isEmpty()) {
      publish(group);
    }
  }

  private void publish(List<Submission> group) throws InterruptedException {
    runStartNanos = time.nanos() | 1; // never 0
    if (time.nanos() - lastFailureNanos > REMEMBER_NANOS) {
      transaction.expectNoMore();
    }
    mark.markOpen();
    boolean confirmed = false;
    try {
      confirmed = addAll(group) && transaction.publish(remainingNanos(group));
    } catch (IOException e) {
      log.debug("can't happen, because nobody has to be kept waiting", e);
    } finally {
      if (!confirmed) {
        lastFailureNanos = time.nanos();
        transaction.drop();
      }
    }
    if (confirmed) {
      transaction.answered();
      if (transaction.owesNothing()) { // otherwise a successor must know which events
        mark.markClosed();
      }
    }
    Answer answer = confirmed ? Answer.SUCCESS : Answer.SERVER_BUSY;
    group.forEach(each -> each.answer(answer));
    runStartNanos = 0;
  }

  private boolean addAll(List<Submission> group) throws IOException, InterruptedException {
    for (Submission submission : group) {
      boolean isAdded =
          submission
              .events()
              .visit((bytes, offset, length) -> transaction.add(bytes, offset, length, false));
      if (!isAdded) {
        return false;
      }
      for (Map.Entry<String, Messages> unusable : submission.unusableByReason().entrySet()) {
        submitUnusable(unusable.getKey(), unusable.getValue());
      }
    }
    return true;
  }

  /**
   * Publishes unusable events as batches of their own, which bridges put into the dead-letter
   * queue.
   */
  private void submitUnusable(String reason, Messages messages) throws InterruptedException {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.TEXT, settings.compress())) {
      messages.visit(
          (bytes, offset, length) -> {
            if (encoder.count() >= settings.maxMessages()
                || encoder.size() + (long) length > settings.maxBytes().bytes()) {
              submitUnusable(reason, encoder);
            }
            encoder.add(bytes, offset, length);
            return true;
          });
      submitUnusable(reason, encoder);
    }
  }

  private void submitUnusable(String reason, BatchEncoder encoder) {
    if (encoder.count() > 0) {
      publisher.submit(
          OutgoingBatch.of(encoder.encode(), ids.next(), stream, time.millis(), 0)
              .unusable(reason));
      encoder.clear();
    }
  }

  private long remainingNanos(List<Submission> group) {
    long now = time.nanos();
    return group.stream().mapToLong(each -> each.deadlineNanos() - now).min().orElse(0);
  }

  /** Stops after the requests that were accepted. */
  @Override
  public void close() {
    stopping = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
