package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.Answer.Accepted;
import io.duplog.deliver.hec.answer.Answer.Misconfigured;
import io.duplog.deliver.hec.answer.Answer.Retry;
import io.duplog.deliver.hec.answer.Answer.TooLarge;
import io.duplog.deliver.hec.answer.AnswerCounts;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.observe.Backoff;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages from the queue, sends them over one connection to one URL, and acts on each
 * answer. At most one request is under way. Only {@link #stop} may be called from any thread; all
 * other methods belong to the sender's thread, or to a test in its place.
 *
 * @see "docs/decisions/hec.md#hec-senders"
 */
final class HecSender {
  /** A batch whose outcome the queue does not know yet; Splunk may have some of its events. */
  private record OpenBatch(RequestBatch batch, boolean maybeIndexed) {}

  private final Endpoint endpoint;
  private final SendQueue queue;
  private final AnswerCounts answers;
  private final Connection connection;
  private final Request request;
  private final ResponseHandler responses;
  private final Backoff slowDowns;
  private final Acknowledgement acknowledgement;
  private final EmptyRequest trial;
  private final PoisonIsolation isolation;
  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;

  /** Time in nanoseconds before which no request may leave, because the URL asked to slow down. */
  private long sendAfterNanos;

  /** Whether the sender could send a request at once if there were messages to send. */
  private boolean canSend;

  /** False if this connection's last request with events failed; true before the first request. */
  private boolean previousPassed = true;

  private @Nullable OpenBatch openBatch;

  /** Number of requests of all senders that were accepted before the current request was sent. */
  private long acceptancesBefore;

  private volatile boolean stopping;

  HecSender(
      String url,
      HecSinkConfig config,
      HecEnvironment environment,
      Endpoint endpoint,
      SendQueue queue,
      AnswerCounts answers,
      Request request) {
    this.endpoint = endpoint;
    this.queue = queue;
    this.answers = answers;
    this.isolation = queue.isolation();
    this.connection = environment.connections().apply(url);
    this.request = request;
    this.responses = new ResponseHandler(!config.acknowledge(), config.fallbackIndex() != null);
    this.slowDowns = environment.backoff(config.retryMin(), config.retryMax());
    this.nanoClock = environment.nanoClock();
    this.wallMillis = environment.wallMillis();
    this.sendAfterNanos = nanoClock.getAsLong();
    String channel = EmptyRequest.channel(config);
    this.acknowledgement =
        config.acknowledge()
            ? new Channels(config, connection, endpoint, queue, answers, environment)
            : alone -> channel; // by receipt: all requests have the same channel
    this.trial = EmptyRequest.of(config, connection, channel, wallMillis);
  }

  /** Sends requests until the sender is stopped or its thread is interrupted. */
  void run() {
    try {
      while (!stopping) {
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

  /** Makes {@link #run} end after the current exchange; may be called from any thread. */
  void stop() {
    stopping = true;
  }

  /**
   * Takes one step: a request, a probe of the URL, a question for acknowledgements, or nothing. A
   * runtime exception in it counts as a failure of the request.
   *
   * @return for how many nanoseconds there is nothing to do, unless the queue gets something
   */
  long runOnce() {
    try {
      return turn();
    } catch (RuntimeException e) {
      Retry failure = defect(e);
      OpenBatch lost = openBatch;
      if (lost != null) {
        previousPassed = false;
        fail(lost.batch(), failure, lost.maybeIndexed());
        answered(List.of());
      }
      failed(endpoint.termNumber(), failure);
      return 0;
    }
  }

  private long turn() {
    canSend = false;
    askIndexers();
    int termNumber = endpoint.termNumber();
    long now = nanoClock.getAsLong();
    Permit permit = endpoint.permit(now);
    if (permit instanceof Permit.Probe) {
      probe(termNumber);
      return 0;
    }
    long untilQuestion = acknowledgement.idleNanos(now);
    long wait = sendAfterNanos - now;
    if (permit instanceof Permit.Wait other) {
      wait = Math.max(wait, other.nanos());
    }
    if (wait > 0) {
      return Math.min(untilQuestion, wait);
    }
    if (acknowledgement.isFull()) {
      return untilQuestion;
    }
    RequestBatch batch = queue.take(now, previousPassed, endpoint);
    if (batch == null) {
      canSend = true;
      return Math.min(untilQuestion, queue.idleNanos(now, previousPassed, endpoint));
    }
    send(batch, termNumber);
    return 0;
  }

  private void askIndexers() {
    int termNumber = endpoint.termNumber();
    boolean well = endpoint.isWell();
    Answer trouble = troubleWith(acknowledgement::ask);
    if (trouble != null && well) {
      failed(termNumber, trouble);
    }
  }

  /**
   * Finds out whether the URL is healthy. Asks for its health page, sends a request without events,
   * which tests the token before any event depends on it, and then sends real events if there are
   * any.
   */
  private void probe(int termNumber) {
    Answer trouble = troubleWith(trial::run);
    if (trouble != null) {
      answers.countTrial(trouble);
      failed(termNumber, trouble);
      return;
    }
    endpoint.answersTrial(termNumber);
    RequestBatch batch = queue.take(nanoClock.getAsLong(), previousPassed, endpoint);
    if (batch == null) {
      endpoint.well(termNumber);
    } else {
      send(batch, termNumber);
    }
  }

  /** An exchange without events, which returns what is wrong with the URL; null if nothing is. */
  private interface Inquiry {
    @Nullable Answer run() throws IOException;
  }

  /** Returns what is wrong with the URL, including exceptions; null if nothing is wrong. */
  private @Nullable Answer troubleWith(Inquiry inquiry) {
    boolean answered = false;
    endpoint.begins();
    try {
      Answer trouble = inquiry.run();
      answered = true;
      return trouble;
    } catch (IOException e) {
      return EmptyRequest.unreachable(e);
    } catch (RuntimeException e) {
      return defect(e);
    } finally {
      endpoint.ends(answered);
    }
  }

  private Retry defect(RuntimeException e) {
    endpoint.met(e);
    return EmptyRequest.defect(e);
  }

  private void send(RequestBatch batch, int termNumber) {
    try {
      openBatch = new OpenBatch(batch, false);
      long now = nanoClock.getAsLong();
      acceptancesBefore = isolation.sends(batch, now);
      endpoint.sends(now);
      Attempt attempt = attempt(batch);
      if (attempt == null) {
        answered(List.of());
        endpoint.well(termNumber);
      } else {
        conclude(attempt, termNumber);
      }
    } finally {
      isolation.over(batch);
    }
  }

  /**
   * Sends as much of a batch as fits into one request, and puts the rest back at once.
   *
   * @return null if nothing of the batch was left to send
   */
  private @Nullable Attempt attempt(RequestBatch batch) {
    request.fill(batch);
    RuntimeException unfit = request.defect();
    if (unfit != null) {
      fail(request.unencoded(), defect(unfit), false);
    }
    if (!request.left().isEmpty()) {
      queue.putBack(request.left());
    }
    if (!request.others().isEmpty()) {
      queue.giveBack(request.others());
    }
    RequestBatch sent = request.sent();
    openBatch = new OpenBatch(sent, false);
    if (sent.isEmpty()) {
      return null;
    }
    endpoint.begins();
    Attempt attempt = exchange(sent);
    endpoint.ends(!attempt.isBroken());
    request.posted();
    openBatch = new OpenBatch(sent, attempt.maybeIndexed());
    answers.count(attempt.answer(), attempt.isBroken());
    return attempt;
  }

  /**
   * Sends the request, on a channel of its own if it is suspected; an exception becomes a failed
   * attempt.
   */
  private Attempt exchange(RequestBatch sent) {
    long since = nanoClock.getAsLong();
    Answer answer;
    boolean isBroken = true;
    boolean maybeIndexed = false;
    boolean isCounted = true;
    try {
      Connection.Post post = request.post(acknowledgement.channel(sent.suspicion() != null));
      maybeIndexed = true;
      Reply reply = connection.post(post);
      isCounted = !AnswerReader.isUncounted(reply);
      answer = AnswerReader.read(reply, wallMillis.getAsLong());
      boolean refused = answer instanceof Misconfigured && reply.status() / 100 != 2;
      maybeIndexed = isCounted && !refused;
      isBroken = false;
    } catch (IOException e) {
      // The channel is left even if nothing was sent: a restarted collector counts its ids anew.
      maybeIndexed = !(e instanceof Connection.UnsentException);
      answer = EmptyRequest.unreachable(e);
    } catch (RuntimeException e) {
      answer = defect(e);
    }
    long took = nanoClock.getAsLong() - since;
    return new Attempt(
        sent, answer, isBroken, maybeIndexed, isCounted, took, previousPassed, acceptancesBefore);
  }

  private void conclude(Attempt attempt, int termNumber) {
    if (attempt.answer().isFailure()) {
      blame(attempt, termNumber);
      return;
    }
    long now = nanoClock.getAsLong();
    if (attempt.answer() instanceof Accepted accepted) {
      Answer missing = accept(accepted, attempt, now);
      if (missing != null) {
        failed(termNumber, missing);
        return;
      }
    } else {
      answered(sendAgain(attempt.answer(), attempt));
    }
    if (!(attempt.answer() instanceof TooLarge)) {
      previousPassed = true;
      isolation.accepted(attempt, endpoint, now);
    }
    endpoint.answered(termNumber, attempt.tookNanos(), now);
  }

  /**
   * Handles a failed request; a request without events shows whether the URL or the events failed.
   */
  private void blame(Attempt attempt, int termNumber) {
    if (stopping) {
      answered(List.of(attempt.sent()));
      return; // our own stop has interrupted the exchange
    }
    Answer trouble = troubleOf(attempt, termNumber);
    markIfIndexed(attempt.sent(), attempt.maybeIndexed());
    long now = nanoClock.getAsLong();
    isolation.failed(attempt, endpoint, trouble == null, now);
    answered(leaveChannel(attempt));
    previousPassed = false;
    if (trouble != null) {
      // The answer to the events says more, unless the trial has found a misconfiguration.
      failed(termNumber, trouble instanceof Misconfigured ? trouble : attempt.answer());
      return;
    }
    endpoint.well(termNumber);
    if (attempt.suspicion() == null) {
      endpoint.refused(termNumber, attempt, now);
    }
  }

  /** Returns what is wrong with the URL; null if it works, or has accepted events a moment ago. */
  private @Nullable Answer troubleOf(Attempt attempt, int termNumber) {
    if (endpoint.termNumber() != termNumber) {
      return attempt.answer();
    }
    boolean well = !attempt.isBroken() && endpoint.hasTakenLately(nanoClock.getAsLong());
    return well ? null : troubleWith(trial::run);
  }

  /** Returns what is wrong with an answer that lacks an acknowledgement id; null if it has one. */
  private @Nullable Answer accept(Accepted accepted, Attempt attempt, long now) {
    sendAfterNanos = now + (accepted.slowDown() ? slowDowns.nextNanos() : 0);
    if (!accepted.slowDown()) {
      slowDowns.reset();
    }
    RequestBatch sent = attempt.sent();
    List<RequestBatch> again = acknowledgement.accepted(accepted, sent, now);
    if (again == null) {
      Misconfigured missing =
          new Misconfigured("receives events without an ackId", AnswerReader.NO_ACKNOWLEDGEMENT);
      sent.resend(RequestBatch.UNACKNOWLEDGED);
      answered(sendAgain(missing, attempt));
      return missing;
    }
    answered(again);
    acknowledgement.received(sent);
    return null;
  }

  private List<RequestBatch> sendAgain(Answer answer, Attempt attempt) {
    List<RequestBatch> again = new ArrayList<>(responses.of(answer, attempt.sent()));
    again.addAll(leaveChannel(attempt));
    return again;
  }

  private List<RequestBatch> leaveChannel(Attempt attempt) {
    return attempt.isCounted() ? acknowledgement.leaveChannel() : List.of();
  }

  /** Gives a batch to {@link PoisonIsolation}, because a defect of Duplog made its request fail. */
  private void fail(RequestBatch batch, Retry failure, boolean maybeIndexed) {
    markIfIndexed(batch, maybeIndexed);
    Attempt attempt = Attempt.unsent(batch, failure, previousPassed, acceptancesBefore);
    isolation.failed(attempt, endpoint, true, nanoClock.getAsLong());
  }

  private static void markIfIndexed(RequestBatch batch, boolean maybeIndexed) {
    if (maybeIndexed) {
      batch.resend(RequestBatch.UNANSWERED);
    }
  }

  private void answered(List<RequestBatch> again) {
    openBatch = null;
    queue.answered(again);
  }

  private void failed(int termNumber, Answer answer) {
    if (answer.isFailure() && !stopping) { // a stop interrupts the exchange
      endpoint.failed(termNumber, answer, nanoClock.getAsLong());
    }
  }
}
