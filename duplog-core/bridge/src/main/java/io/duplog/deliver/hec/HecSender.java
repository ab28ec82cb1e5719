package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.Answer.Accepted;
import io.duplog.deliver.hec.answer.Answer.Misconfigured;
import io.duplog.deliver.hec.answer.Answer.Retry;
import io.duplog.deliver.hec.answer.Answer.TooLarge;
import io.duplog.deliver.hec.answer.AnswerCounts;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.observe.Backoff;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends waiting messages to one collector URL, one request at a time, and handles each answer. Not
 * thread-safe, except for {@link #stop}; all other methods are called by the sender's thread, or by
 * a test in its place.
 *
 * @see "docs/decisions/hec.md#hec-senders"
 */
final class HecSender {
  /** A batch with an outcome that the queue does not know yet; Splunk may have some events. */
  private record OpenBatch(RequestBatch batch, boolean maybeIndexed) {}

  private final Endpoint endpoint;
  private final SendQueue queue;
  private final AnswerCounts answerCounts;
  private final Connection connection;
  private final Request request;
  private final Exchanges exchanges;
  private final ResponseHandler responseHandler;
  private final Backoff slowDownBackoff;
  private final Acknowledgement acknowledgement;
  private final EmptyRequest probeRequest;
  private final PoisonIsolation poisonIsolation;
  private final LongSupplier nanoClock;

  /** Time in nanoseconds before which no request may be sent, because the URL asked for a pause. */
  private long sendAfterNanos;

  /** Whether the sender could send a request immediately if there were messages to send. */
  private boolean canSend;

  /** False if this connection's last request with events failed; true before the first request. */
  private boolean previousSucceeded = true;

  private @Nullable OpenBatch openBatch;

  /** Number of requests of all senders that were accepted before the current request was sent. */
  private long acceptancesBefore;

  private volatile boolean isStopping;

  HecSender(
      String url,
      HecSinkConfig config,
      HecEnvironment environment,
      Endpoint endpoint,
      SendQueue queue,
      AnswerCounts answerCounts,
      Request request) {
    this.endpoint = endpoint;
    this.queue = queue;
    this.answerCounts = answerCounts;
    this.poisonIsolation = queue.poisonIsolation();
    this.connection = environment.connections().apply(url);
    this.request = request;
    this.responseHandler =
        new ResponseHandler(!config.acknowledge(), config.fallbackIndex() != null);
    this.slowDownBackoff = environment.backoff(config.retryMin(), config.retryMax());
    this.nanoClock = environment.nanoClock();
    this.sendAfterNanos = nanoClock.getAsLong();
    String channelId = EmptyRequest.newChannelId(config);
    this.acknowledgement =
        config.acknowledge()
            ? new Channels(config, connection, endpoint, queue, answerCounts, environment)
            : isSuspected -> channelId; // without acknowledgement, all requests share one channel
    this.probeRequest = EmptyRequest.of(config, connection, channelId, environment.wallMillis());
    this.exchanges = new Exchanges(connection, request, acknowledgement, endpoint, environment);
  }

  /** Sends requests until the sender is stopped or its thread is interrupted. */
  void run() {
    try {
      while (!isStopping) {
        long version = queue.version();
        long idleNanos = runOnce();
        if (idleNanos > 0) {
          queue.await(version, idleNanos, canSend);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the sink is closed
    } finally {
      connection.close();
    }
  }

  /** Makes {@link #run} end after the current exchange. Thread-safe. */
  void stop() {
    isStopping = true;
  }

  /**
   * Takes one step: sends a request, probes the URL, polls for acknowledgements, or does nothing. A
   * runtime exception counts as a failure of the request.
   *
   * @return the time in nanoseconds without work, unless the queue gets new messages
   */
  long runOnce() {
    try {
      return step();
    } catch (RuntimeException e) {
      Retry failure = exchanges.toFailure(e);
      OpenBatch failed = openBatch;
      if (failed != null) {
        previousSucceeded = false;
        isolate(failed.batch(), failure, failed.maybeIndexed());
        onAnswered(List.of());
      }
      onFailed(endpoint.termNumber(), failure);
      return 0;
    }
  }

  private long step() {
    canSend = false;
    pollAcknowledgements();
    int termNumber = endpoint.termNumber();
    long now = nanoClock.getAsLong();
    Permit permit = endpoint.permit(now);
    if (permit instanceof Permit.Probe) {
      probe(termNumber);
      return 0;
    }
    long untilPoll = acknowledgement.idleNanos(now);
    long untilSend = sendAfterNanos - now;
    if (permit instanceof Permit.Wait wait) {
      untilSend = Math.max(untilSend, wait.nanos());
    }
    if (untilSend > 0) {
      return Math.min(untilPoll, untilSend);
    }
    if (acknowledgement.isFull()) {
      return untilPoll;
    }
    RequestBatch batch = queue.take(now, previousSucceeded, endpoint);
    if (batch == null) {
      canSend = true;
      return Math.min(untilPoll, queue.idleNanos(now, previousSucceeded, endpoint));
    }
    send(batch, termNumber);
    return 0;
  }

  private void pollAcknowledgements() {
    int termNumber = endpoint.termNumber();
    boolean wasHealthy = endpoint.isHealthy();
    Answer failure = exchanges.findFailure(acknowledgement::poll);
    if (failure != null && wasHealthy) {
      onFailed(termNumber, failure);
    }
  }

  /**
   * Finds out whether the URL is healthy. Requests its health page and sends an empty request,
   * which tests the token before any event depends on it. Then sends real events if there are any.
   */
  private void probe(int termNumber) {
    Answer failure = exchanges.findFailure(probeRequest::checkHealthAndToken);
    if (failure != null) {
      answerCounts.countProbe(failure);
      onFailed(termNumber, failure);
      return;
    }
    endpoint.onProbeAnswered(termNumber);
    RequestBatch batch = queue.take(nanoClock.getAsLong(), previousSucceeded, endpoint);
    if (batch == null) {
      endpoint.markHealthy(termNumber);
    } else {
      send(batch, termNumber);
    }
  }

  private void send(RequestBatch batch, int termNumber) {
    try {
      openBatch = new OpenBatch(batch, false);
      long now = nanoClock.getAsLong();
      acceptancesBefore = poisonIsolation.onSend(batch, now);
      endpoint.onSend(now);
      Attempt attempt = attempt(batch);
      if (attempt == null) {
        onAnswered(List.of());
        endpoint.markHealthy(termNumber);
      } else {
        handleOutcome(attempt, termNumber);
      }
    } finally {
      poisonIsolation.onDone(batch);
    }
  }

  /**
   * Sends as much of a batch as fits into one request, and returns the rest to the queue first.
   *
   * @return the attempt, or null if there was nothing left to send
   */
  private @Nullable Attempt attempt(RequestBatch batch) {
    request.fill(batch);
    RuntimeException encodingFailure = request.encodingFailure();
    if (encodingFailure != null) {
      isolate(request.unencoded(), exchanges.toFailure(encodingFailure), false);
    }
    if (!request.overflow().isEmpty()) {
      queue.putBackMessages(request.overflow());
    }
    if (!request.batchesForOtherPaths().isEmpty()) {
      queue.putBackRequests(request.batchesForOtherPaths());
    }
    RequestBatch sent = request.sent();
    openBatch = new OpenBatch(sent, false);
    if (sent.isEmpty()) {
      return null;
    }
    Attempt attempt = exchanges.send(sent, previousSucceeded, acceptancesBefore);
    request.releaseMemory();
    openBatch = new OpenBatch(sent, attempt.maybeIndexed());
    answerCounts.count(attempt.answer(), attempt.isUnanswered());
    return attempt;
  }

  private void handleOutcome(Attempt attempt, int termNumber) {
    if (attempt.answer().isFailure()) {
      handleFailure(attempt, termNumber);
      return;
    }
    long now = nanoClock.getAsLong();
    if (attempt.answer() instanceof Accepted accepted) {
      Answer failure = accept(accepted, attempt, now);
      if (failure != null) {
        onFailed(termNumber, failure);
        return;
      }
    } else {
      onAnswered(batchesToResend(attempt.answer(), attempt));
    }
    if (!(attempt.answer() instanceof TooLarge)) {
      previousSucceeded = true;
      poisonIsolation.onAccepted(attempt, endpoint, now);
    }
    endpoint.onAnswered(termNumber, attempt.durationNanos(), now);
  }

  /** Handles a failed request. An empty request shows whether the URL or the events failed. */
  private void handleFailure(Attempt attempt, int termNumber) {
    if (isStopping) {
      onAnswered(List.of(attempt.sent()));
      return; // the exchange was interrupted by stop()
    }
    Answer urlFailure = findUrlFailure(attempt, termNumber);
    markIfIndexed(attempt.sent(), attempt.maybeIndexed());
    long now = nanoClock.getAsLong();
    poisonIsolation.onFailed(attempt, endpoint, urlFailure == null, now);
    onAnswered(leaveChannel(attempt));
    previousSucceeded = false;
    if (urlFailure != null) {
      // The answer to the events is more specific, unless the empty request found a
      // misconfiguration.
      onFailed(termNumber, urlFailure instanceof Misconfigured ? urlFailure : attempt.answer());
      return;
    }
    endpoint.markHealthy(termNumber);
    if (attempt.suspicion() == null) {
      endpoint.onRefused(termNumber, attempt, now);
    }
  }

  /** Returns the URL's failure, or null if it works or has accepted events recently. */
  private @Nullable Answer findUrlFailure(Attempt attempt, int termNumber) {
    if (endpoint.termNumber() != termNumber) {
      return attempt.answer();
    }
    boolean isHealthy =
        !attempt.isUnanswered() && endpoint.hasAcceptedRecently(nanoClock.getAsLong());
    return isHealthy ? null : exchanges.findFailure(probeRequest::checkHealthAndToken);
  }

  /** Returns the failure of an answer without a required acknowledgement id; otherwise null. */
  private @Nullable Answer accept(Accepted accepted, Attempt attempt, long now) {
    sendAfterNanos = now + (accepted.slowDown() ? slowDownBackoff.nextNanos() : 0);
    if (!accepted.slowDown()) {
      slowDownBackoff.reset();
    }
    RequestBatch sent = attempt.sent();
    List<RequestBatch> resent = acknowledgement.onAccepted(accepted, sent, now);
    if (resent == null) {
      Misconfigured failure =
          new Misconfigured(
              "accepts events but gives no acknowledgement id (ackId)",
              AnswerReader.NO_ACKNOWLEDGEMENT);
      sent.markResent(RequestBatch.UNACKNOWLEDGED);
      onAnswered(batchesToResend(failure, attempt));
      return failure;
    }
    onAnswered(resent);
    acknowledgement.onReceived(sent);
    return null;
  }

  private List<RequestBatch> batchesToResend(Answer answer, Attempt attempt) {
    List<RequestBatch> resent = new ArrayList<>(responseHandler.handle(answer, attempt.sent()));
    resent.addAll(leaveChannel(attempt));
    return resent;
  }

  private List<RequestBatch> leaveChannel(Attempt attempt) {
    return attempt.mayHaveAckId() ? acknowledgement.leaveChannel() : List.of();
  }

  /** Passes a batch to {@link PoisonIsolation} if a bug in Duplog made its request fail. */
  private void isolate(RequestBatch batch, Retry failure, boolean maybeIndexed) {
    markIfIndexed(batch, maybeIndexed);
    Attempt attempt = Attempt.unsent(batch, failure, previousSucceeded, acceptancesBefore);
    poisonIsolation.onFailed(attempt, endpoint, true, nanoClock.getAsLong());
  }

  private static void markIfIndexed(RequestBatch batch, boolean maybeIndexed) {
    if (maybeIndexed) {
      batch.markResent(RequestBatch.UNANSWERED);
    }
  }

  private void onAnswered(List<RequestBatch> resent) {
    openBatch = null;
    queue.onAnswered(resent);
  }

  private void onFailed(int termNumber, Answer answer) {
    if (answer.isFailure() && !isStopping) { // stop() interrupts the exchange
      endpoint.onFailed(termNumber, answer, nanoClock.getAsLong());
    }
  }
}
