package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.Answer.Misconfigured;
import io.duplog.deliver.hec.answer.Answer.Retry;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.http.Connection;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends HTTP requests to a collector's URL, and classifies the answers and the failures. Not
 * thread-safe. Belongs to the sender's thread.
 */
final class Exchanges {
  private final Connection connection;
  private final Request request;
  private final Acknowledgement acknowledgement;
  private final Endpoint endpoint;
  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;

  Exchanges(
      Connection connection,
      Request request,
      Acknowledgement acknowledgement,
      Endpoint endpoint,
      HecEnvironment environment) {
    this.connection = connection;
    this.request = request;
    this.acknowledgement = acknowledgement;
    this.endpoint = endpoint;
    this.nanoClock = environment.nanoClock();
    this.wallMillis = environment.wallMillis();
  }

  /** An exchange without events, which returns the URL's failure, or null if the URL works. */
  interface Check {
    @Nullable Answer run() throws IOException;
  }

  /** Runs the check and returns the URL's failure, or null if the URL works. */
  @Nullable Answer findFailure(Check check) {
    boolean isAnswered = false;
    endpoint.answerWatch().onSend();
    try {
      Answer failure = check.run();
      isAnswered = true;
      return failure;
    } catch (IOException e) {
      return EmptyRequest.unreachable(e);
    } catch (RuntimeException e) {
      return toFailure(e);
    } finally {
      endpoint.answerWatch().onEnd(isAnswered);
    }
  }

  /**
   * Sends the filled request. A suspected batch gets a channel of its own.
   *
   * @param previousSucceeded whether the connection's previous request with events did not fail
   * @param acceptancesBefore how many requests of all senders had been accepted so far
   */
  Attempt send(RequestBatch batch, boolean previousSucceeded, long acceptancesBefore) {
    endpoint.answerWatch().onSend();
    long startNanos = nanoClock.getAsLong();
    Answer answer;
    boolean isUnanswered = true;
    boolean maybeIndexed = false;
    boolean mayHaveAckId = true;
    try {
      Connection.Post post = request.post(acknowledgement.channelId(batch.suspicion() != null));
      maybeIndexed = true;
      Reply reply = connection.post(post);
      mayHaveAckId = !AnswerReader.hasNoAckId(reply);
      answer = AnswerReader.read(reply, wallMillis.getAsLong());
      boolean isRefused = answer instanceof Misconfigured && reply.status() / 100 != 2;
      maybeIndexed = mayHaveAckId && !isRefused;
      isUnanswered = false;
    } catch (IOException e) {
      // The channel is changed even if nothing was sent: a restarted collector restarts its ids
      // from 0.
      maybeIndexed = !(e instanceof Connection.UnsentException);
      answer = EmptyRequest.unreachable(e);
    } catch (RuntimeException e) {
      answer = toFailure(e);
    }
    long durationNanos = nanoClock.getAsLong() - startNanos;
    endpoint.answerWatch().onEnd(!isUnanswered);
    return new Attempt(
        batch,
        answer,
        isUnanswered,
        maybeIndexed,
        mayHaveAckId,
        durationNanos,
        previousSucceeded,
        acceptancesBefore);
  }

  /** Logs an unexpected exception and returns the failure that it counts as. */
  Retry toFailure(RuntimeException bug) {
    endpoint.recordBug(bug);
    return EmptyRequest.failureFrom(bug);
  }
}
