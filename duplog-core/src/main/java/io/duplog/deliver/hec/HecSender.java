package io.duplog.deliver.hec;

import io.duplog.deliver.hec.Answer.Accepted;
import io.duplog.deliver.hec.Answer.Misconfigured;
import io.duplog.deliver.hec.Answer.Retry;
import io.duplog.deliver.hec.Answer.TooLarge;
import io.duplog.observe.Backoff;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one URL: takes what waits, sends it, and does what the answer asks for. At most
 * one request is under way. Belongs to its thread, or to a test in its place, but for {@link
 * #stop}.
 */
final class HecSender {
  private final Endpoint endpoint;
  private final SendQueue queue;
  private final AnswerCounts answers;
  private final Connection connection;
  private final Request request;
  private final ResponseHandler responses;
  private final Backoff slowDowns;

  /** What waits for the indexers' acknowledgement; null where receipt is enough. */
  private final @Nullable Channels channels;

  /** Of all requests, where acknowledgement has none for them; null for none. */
  private final @Nullable String channel;

  private final EmptyRequest trial;
  private final PoisonIsolation isolation;
  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;

  /** Until then it sends nothing, since the URL has asked for that. */
  private long sendAfterNanos;

  private boolean canSend;

  /** Whether the last request has surely got no acknowledgement's id, although none was named. */
  private boolean uncounted;

  /** Whether Splunk may have events of the request in hand although it did not accept it. */
  private boolean doubtful;

  /** Whether an indexer has acknowledged anything since requests expired last. */
  private boolean confirmedLately;

  /** Whether the last exchange had no answer. */
  private boolean broken;

  /** Whether the last request with events was accepted, if there was one. */
  private boolean proven = true;

  /** What was taken from the queue and not answered for. */
  private @Nullable RequestBatch inHand;

  /** How many requests all senders had accepted when that left. */
  private long acceptedBefore;

  private volatile boolean stopping;

  HecSender(
      String url,
      HecSinkConfig config,
      HecSink.Environment environment,
      Endpoint endpoint,
      SendQueue queue,
      AnswerCounts answers) {
    this.endpoint = endpoint;
    this.queue = queue;
    this.answers = answers;
    this.isolation = queue.isolation();
    this.connection = environment.connections().apply(url);
    this.request = new Request(config, environment.routing());
    this.responses = new ResponseHandler(!config.acknowledge(), config.fallbackIndex() != null);
    this.slowDowns = environment.backoff(config.retryMin(), config.retryMax());
    this.channels = config.acknowledge() ? new Channels(config, connection) : null;
    this.channel = channel(config);
    this.nanoClock = environment.nanoClock();
    this.wallMillis = environment.wallMillis();
    this.sendAfterNanos = nanoClock.getAsLong();
    this.trial = EmptyRequest.of(config, connection, channel, wallMillis);
  }

  /** The raw endpoint takes nothing without one. */
  static @Nullable String channel(HecSinkConfig config) {
    boolean raw = config.endpoint() == HecSinkConfig.Endpoints.RAW;
    return raw ? UUID.randomUUID().toString() : null;
  }

  /** Works until it is stopped or interrupted. */
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

  /** Ends it after the exchange that is under way. Any thread. */
  void stop() {
    stopping = true;
  }

  /**
   * One request, one probe of the URL, one question for acknowledgements, or nothing. A defect that
   * it meets counts as a failure.
   *
   * @return how many nanoseconds there is nothing to do, unless the queue has something
   */
  long runOnce() {
    try {
      return turn();
    } catch (RuntimeException e) {
      RequestBatch batch = inHand;
      Retry failure = defect(e);
      if (batch != null) {
        Attempt attempt =
            new Attempt(batch, batch.suspicion(), failure, 0, true, false, acceptedBefore);
        markIfDoubtful(batch);
        isolation.failed(attempt, endpoint, true, nanoClock.getAsLong());
        answered(List.of());
      }
      failed(endpoint.term(), failure);
      return 0;
    }
  }

  private long turn() {
    canSend = false;
    long nextPollNanos = Long.MAX_VALUE;
    if (channels != null) {
      awaitIndexers(channels);
      nextPollNanos = channels.idleNanos(nanoClock.getAsLong());
    }
    int term = endpoint.term();
    long now = nanoClock.getAsLong();
    long permit = endpoint.permit(now);
    if (permit == Endpoint.PROBE) {
      probe(term);
      return 0;
    }
    long wait = Math.max(permit, sendAfterNanos - now);
    if (wait > 0) {
      return Math.min(nextPollNanos, wait);
    }
    if (channels != null && channels.isFull()) {
      return nextPollNanos;
    }
    RequestBatch batch = queue.take(now, proven, endpoint);
    if (batch == null) {
      canSend = true;
      return Math.min(nextPollNanos, queue.idleNanos(now, proven, endpoint));
    }
    send(batch, term);
    return 0;
  }

  /**
   * Finds out whether the URL is well: by its health page, by a request without events, which shows
   * whether the token is right before there are events to hold up, and with real events if there
   * are any.
   */
  private void probe(int term) {
    Answer trouble = troubleWith(trial::run);
    if (trouble != null) {
      failed(term, trouble);
      return;
    }
    endpoint.answersTrial(term);
    RequestBatch batch = queue.take(nanoClock.getAsLong(), proven, endpoint);
    if (batch == null) {
      endpoint.well(term);
    } else {
      send(batch, term);
    }
  }

  /** What the other side says to it in the end; null where nothing is wrong. */
  private interface Exchange {
    @Nullable Answer run() throws IOException;
  }

  /** What is wrong, whatever it was that failed; null where nothing is. */
  private @Nullable Answer troubleWith(Exchange exchange) {
    try {
      return exchange.run();
    } catch (IOException e) {
      return EmptyRequest.unreachable(e);
    } catch (RuntimeException e) {
      return defect(e);
    }
  }

  private Retry defect(RuntimeException e) {
    endpoint.met(e);
    return EmptyRequest.defect(e);
  }

  private void send(RequestBatch batch, int term) {
    try {
      inHand = batch;
      doubtful = false;
      long now = nanoClock.getAsLong();
      acceptedBefore = isolation.sends(batch, now);
      endpoint.sends(now);
      Attempt attempt = attempt(batch);
      if (attempt == null) {
        answered(List.of());
        endpoint.well(term);
      } else {
        conclude(attempt, term);
      }
    } finally {
      isolation.over(batch);
    }
  }

  private void answered(List<RequestBatch> again) {
    inHand = null;
    queue.answered(again);
  }

  /**
   * Sends a batch, and puts back at once what found no place.
   *
   * @return null where nothing of it was left to send
   */
  private @Nullable Attempt attempt(RequestBatch batch) {
    RequestBatch.Suspicion why = batch.suspicion();
    request.fill(batch);
    RuntimeException unfit = request.defect();
    if (unfit != null) {
      Attempt failed =
          new Attempt(request.unencoded(), why, defect(unfit), 0, true, proven, acceptedBefore);
      isolation.failed(failed, endpoint, true, nanoClock.getAsLong());
    }
    if (!request.left().isEmpty()) {
      queue.putBack(request.left());
    }
    if (!request.others().isEmpty()) {
      queue.giveBack(request.others());
    }
    RequestBatch sent = request.sent();
    inHand = why == null ? sent : sent.suspected(why);
    if (sent.isEmpty()) {
      return null;
    }
    long since = nanoClock.getAsLong();
    Answer answer = exchange(why != null);
    long took = nanoClock.getAsLong() - since;
    answers.count(answer, broken);
    return new Attempt(sent, why, answer, took, broken, proven, acceptedBefore);
  }

  private void conclude(Attempt attempt, int term) {
    if (attempt.answer().isFailure()) {
      fail(attempt, term);
      return;
    }
    long now = nanoClock.getAsLong();
    if (attempt.answer() instanceof Accepted accepted) {
      Answer missing = received(accepted, attempt.sent(), now);
      if (missing != null) {
        failed(term, missing);
        return;
      }
    } else {
      answered(sendAgain(attempt.answer(), attempt.sent()));
    }
    if (!(attempt.answer() instanceof TooLarge)) {
      proven = true;
      isolation.accepted(attempt, endpoint, now);
    }
    endpoint.answered(term, attempt.tookNanos(), now);
  }

  /** Whether it is the URL that fails, or the events, shows a request without any. */
  private void fail(Attempt attempt, int term) {
    if (stopping) {
      answered(List.of(attempt.sent()));
      return; // interrupted by us
    }
    Answer trouble = troubleOf(attempt, term);
    markIfDoubtful(attempt.sent());
    long now = nanoClock.getAsLong();
    isolation.failed(attempt, endpoint, trouble == null, now);
    answered(leaveChannel());
    proven = false;
    if (trouble != null) {
      // The events' answer says more, unless the trial has found what to change.
      failed(term, trouble instanceof Misconfigured ? trouble : attempt.answer());
      return;
    }
    endpoint.well(term);
    if (attempt.suspicion() == null) {
      endpoint.refused(term, attempt, now);
    }
  }

  private void markIfDoubtful(RequestBatch sent) {
    if (doubtful) {
      sent.resend(RequestBatch.UNANSWERED);
    }
  }

  /** What is wrong with the URL; null where nothing is, or events were taken a moment ago. */
  private @Nullable Answer troubleOf(Attempt attempt, int term) {
    if (endpoint.term() != term) {
      return attempt.answer();
    }
    boolean well = !attempt.broken() && endpoint.hasTakenLately(nanoClock.getAsLong());
    return well ? null : troubleWith(trial::run);
  }

  private Answer exchange(boolean apart) {
    String id = channels == null ? channel : channels.next(apart);
    uncounted = false;
    broken = false;
    try {
      Connection.Post post = request.post(id);
      doubtful = true;
      Reply reply = connection.post(post);
      uncounted = AnswerReader.isUncounted(reply);
      Answer answer = AnswerReader.read(reply, wallMillis.getAsLong());
      boolean refused = answer instanceof Misconfigured && reply.status() / 100 != 2;
      doubtful = !uncounted && !refused;
      return answer;
    } catch (IOException e) {
      broken = true;
      // Its channel is left all the same: a collector that restarts counts its ids anew.
      doubtful = !(e instanceof Connection.UnsentException);
      return EmptyRequest.unreachable(e);
    } catch (RuntimeException e) {
      broken = true;
      return defect(e);
    }
  }

  private List<RequestBatch> sendAgain(Answer answer, RequestBatch sent) {
    List<RequestBatch> again = new ArrayList<>(responses.of(answer, sent));
    again.addAll(leaveChannel());
    return again;
  }

  private List<RequestBatch> leaveChannel() {
    List<RequestBatch> again = channels == null || uncounted ? List.of() : channels.leave();
    again.forEach(batch -> batch.resend(RequestBatch.UNACKNOWLEDGED));
    return again;
  }

  /**
   * @return what is wrong where it lacks the acknowledgement's id
   */
  private @Nullable Answer received(Accepted accepted, RequestBatch sent, long now) {
    sendAfterNanos = now + (accepted.slowDown() ? slowDowns.nextNanos() : 0);
    if (!accepted.slowDown()) {
      slowDowns.reset();
    }
    if (channels == null) {
      answered(List.of());
      sent.settle();
      return null;
    }
    if (accepted.ackId() == null) {
      Misconfigured missing =
          new Misconfigured("receives events without an ackId", AnswerReader.NO_ACKNOWLEDGEMENT);
      sent.resend(RequestBatch.UNACKNOWLEDGED);
      answered(sendAgain(missing, sent));
      return missing;
    }
    List<RequestBatch> mixed = channels.received(accepted.ackId(), sent, now);
    mixed.forEach(batch -> batch.resend(RequestBatch.UNACKNOWLEDGED));
    answered(mixed);
    if (!mixed.isEmpty()) {
      endpoint.acknowledgesBadly(
          endpoint.name()
              + " gave one acknowledgement id twice: a load balancer spreads a channel over"
              + " several indexers and has to be made sticky; sending again what is"
              + " unacknowledged, as duplicates perhaps; from now on a channel for each request"
              + " of this connection",
          now);
    }
    return null;
  }

  private void awaitIndexers(Channels pending) {
    long now = nanoClock.getAsLong();
    List<RequestBatch> expired = pending.expired(now);
    if (!expired.isEmpty()) {
      expired.forEach(batch -> batch.resend(RequestBatch.ACK_TIMEOUT));
      answers.countUnacknowledged(expired.size());
      queue.giveBack(expired);
      endpoint.acknowledgesBadly(
          endpoint.name()
              + " does not acknowledge within ack-timeout what it has received: sending it"
              + " again, as duplicates perhaps",
          now);
      if (!confirmedLately) {
        endpoint.isSilent(endpoint.term(), now);
      }
      confirmedLately = false;
    }
    if (pending.idleNanos(nanoClock.getAsLong()) > 0) {
      return;
    }
    int term = endpoint.term();
    boolean well = endpoint.isWell();
    Answer trouble =
        troubleWith(
            () -> {
              Reply refusal = pending.poll(nanoClock.getAsLong());
              return refusal == null ? null : AnswerReader.read(refusal, wallMillis.getAsLong());
            });
    if (trouble != null && well) {
      failed(term, trouble);
    }
    if (pending.takeConfirmed()) {
      confirmedLately = true;
      endpoint.acknowledges(pending.timeoutNanos(), nanoClock.getAsLong());
    }
  }

  private void failed(int term, Answer answer) {
    if (answer.isFailure() && !stopping) { // which interrupts
      endpoint.failed(term, answer, nanoClock.getAsLong());
    }
  }
}
