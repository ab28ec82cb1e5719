package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.AnswerCounts;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.answer.Reply;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Settles a request's messages when the indexers have acknowledged it, and sends it again if they
 * don't within {@code ack-timeout}. Reports to the endpoint whether acknowledgements arrive.
 */
final class IndexerAcknowledgement implements Acknowledgement {
  private final Channels channels;
  private final Endpoint endpoint;
  private final SendQueue queue;
  private final AnswerCounts answers;
  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;

  /** Whether the indexers have acknowledged any request since requests last timed out. */
  private boolean confirmedLately;

  IndexerAcknowledgement(
      Channels channels,
      Endpoint endpoint,
      SendQueue queue,
      AnswerCounts answers,
      HecEnvironment environment) {
    this.channels = channels;
    this.endpoint = endpoint;
    this.queue = queue;
    this.answers = answers;
    this.nanoClock = environment.nanoClock();
    this.wallMillis = environment.wallMillis();
  }

  @Override
  public String channel(boolean alone) {
    return channels.next(alone);
  }

  @Override
  public boolean isFull() {
    return channels.isFull();
  }

  @Override
  public long idleNanos(long nowNanos) {
    return channels.idleNanos(nowNanos);
  }

  @Override
  public @Nullable Answer ask() throws IOException {
    sendExpiredAgain();
    if (channels.idleNanos(nanoClock.getAsLong()) > 0) {
      return null;
    }
    try {
      Reply refusal = channels.poll(nanoClock.getAsLong());
      return refusal == null ? null : AnswerReader.read(refusal, wallMillis.getAsLong());
    } finally {
      if (channels.takeConfirmed()) {
        confirmedLately = true;
        endpoint.acknowledges(channels.timeoutNanos(), nanoClock.getAsLong());
      }
    }
  }

  private void sendExpiredAgain() {
    long now = nanoClock.getAsLong();
    List<RequestBatch> expired = channels.expired(now);
    if (expired.isEmpty()) {
      return;
    }
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

  @Override
  public @Nullable List<RequestBatch> accepted(
      Answer.Accepted answer, RequestBatch sent, long nowNanos) {
    if (answer.ackId() == null) {
      return null;
    }
    List<RequestBatch> mixed = channels.received(answer.ackId(), sent, nowNanos);
    mixed.forEach(batch -> batch.resend(RequestBatch.UNACKNOWLEDGED));
    if (!mixed.isEmpty()) {
      endpoint.acknowledgesBadly(
          endpoint.name()
              + " gave one acknowledgement id twice: a load balancer spreads a channel over"
              + " several indexers and has to be made sticky; sending again what is"
              + " unacknowledged, as duplicates perhaps; from now on a channel for each request"
              + " of this connection",
          nowNanos);
    }
    return mixed;
  }

  @Override
  public void received(RequestBatch sent) {
    // its messages are settled when the indexers acknowledge them
  }

  @Override
  public List<RequestBatch> leaveChannel() {
    List<RequestBatch> again = channels.leave();
    again.forEach(batch -> batch.resend(RequestBatch.UNACKNOWLEDGED));
    return again;
  }
}
