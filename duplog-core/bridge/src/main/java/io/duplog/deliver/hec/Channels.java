package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.AnswerCounts;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.answer.ReplyBody;
import io.duplog.deliver.hec.http.Connection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A sender's requests that Splunk has received and the indexers have yet to acknowledge. Settles a
 * request's messages when they do, and sends it again if they don't within {@code ack-timeout}.
 * Tells the endpoint whether acknowledgements arrive. Holds the requests' messages but no bytes.
 *
 * <p>Each indexer counts acknowledgement ids from the same first number on each channel. Ids of two
 * indexers are never mixed up, even if a load balancer sends requests of one channel to several
 * indexers:
 *
 * <ul>
 *   <li>An id that is not greater than the last one comes from another indexer. All pending
 *       requests of the channel are sent again on a new channel.
 *   <li>A request that got no id may have been counted by another indexer. Later requests use a new
 *       channel. On the old one, the other indexer could acknowledge only the first id, so the
 *       channel's first request is sent again. Acknowledgements of its other requests are still
 *       asked for.
 * </ul>
 *
 * @see "docs/decisions/hec.md#hec-acknowledgement"
 */
final class Channels implements Acknowledgement {
  /** Divisor of {@code ack-poll} that gives the pause before the first acknowledgement query. */
  private static final int FIRST_POLL_PART = 4;

  /**
   * Factor of {@code ack-poll} that gives the longest pause after failed acknowledgement queries.
   */
  private static final int LONGEST_POLL_TIMES = 30;

  private record Pending(RequestBatch batch, long deadlineNanos) {}

  private static final class Channel {
    final String id = UUID.randomUUID().toString();

    /** Pending requests by acknowledgement id. */
    final Map<Long, Pending> requestsById = new LinkedHashMap<>();

    long firstAck = -1;
    long lastAck = -1;
  }

  private final Connection connection;
  private final Endpoint endpoint;
  private final SendQueue queue;
  private final AnswerCounts answers;
  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;
  private final int pendingLimit;
  private final long pollNanos;
  private final long timeoutNanos;

  /** The channel of later requests, unless each gets a channel of its own. */
  private Channel currentChannel = new Channel();

  /** The channel of the latest request. */
  private Channel lastChannel = currentChannel;

  /** Channels that get no requests any more, and have pending ones. */
  private final List<Channel> retiredChannels = new ArrayList<>();

  /** Whether one channel's ids have come from several indexers. */
  private boolean areIdsMixedUp;

  private boolean polling;

  /** Whether the indexers have acknowledged any request since requests last timed out. */
  private boolean confirmedLately;

  private long pollAtNanos;
  private long pollPauseNanos;

  Channels(
      HecSinkConfig config,
      Connection connection,
      Endpoint endpoint,
      SendQueue queue,
      AnswerCounts answers,
      HecEnvironment environment) {
    this.connection = connection;
    this.endpoint = endpoint;
    this.queue = queue;
    this.answers = answers;
    this.nanoClock = environment.nanoClock();
    this.wallMillis = environment.wallMillis();
    this.pendingLimit = config.ackPending();
    this.pollNanos = config.ackPoll().toNanos();
    this.timeoutNanos = config.ackTimeout().toNanos();
    this.pollPauseNanos = pollNanos;
  }

  /**
   * {@inheritDoc} Once ids were mixed up, each request gets a channel of its own, because all
   * pending requests of a shared channel would be sent again and again.
   */
  @Override
  public String channel(boolean alone) {
    lastChannel = alone || areIdsMixedUp ? new Channel() : currentChannel;
    return lastChannel.id;
  }

  @Override
  public boolean isFull() {
    int retiredRequests =
        retiredChannels.stream().mapToInt(channel -> channel.requestsById.size()).sum();
    return currentChannel.requestsById.size() + retiredRequests >= pendingLimit;
  }

  @Override
  public @Nullable List<RequestBatch> accepted(
      Answer.Accepted answer, RequestBatch sent, long nowNanos) {
    Long ackId = answer.ackId();
    if (ackId == null) {
      return null;
    }
    if (ackId <= lastChannel.lastAck) {
      return mixedUp(sent, nowNanos);
    }
    if (lastChannel.firstAck < 0) {
      lastChannel.firstAck = ackId;
    }
    lastChannel.lastAck = ackId;
    lastChannel.requestsById.put(ackId, new Pending(sent, nowNanos + timeoutNanos));
    if (lastChannel != currentChannel) {
      retiredChannels.add(lastChannel);
    }
    if (!polling) {
      polling = true;
      pollAtNanos = nowNanos + pollNanos / FIRST_POLL_PART;
    }
    return List.of();
  }

  /** Abandons the channel of the last request, and returns all requests on it. */
  private List<RequestBatch> mixedUp(RequestBatch sent, long nowNanos) {
    areIdsMixedUp = true;
    List<RequestBatch> again = new ArrayList<>();
    lastChannel.requestsById.values().forEach(pending -> again.add(pending.batch));
    again.add(sent);
    if (lastChannel == currentChannel) {
      currentChannel = new Channel();
    }
    again.forEach(batch -> batch.resend(RequestBatch.UNACKNOWLEDGED));
    endpoint.acknowledgesBadly(
        endpoint.name()
            + " gave one acknowledgement id twice: a load balancer spreads a channel over"
            + " several indexers and has to be made sticky; sending again what is"
            + " unacknowledged, as duplicates perhaps; from now on a channel for each request"
            + " of this connection",
        nowNanos);
    return again;
  }

  @Override
  public void received(RequestBatch sent) {
    // its messages are settled when the indexers acknowledge them
  }

  @Override
  public List<RequestBatch> leaveChannel() {
    List<RequestBatch> again = lastChannel == currentChannel ? leaveCurrent() : List.of();
    again.forEach(batch -> batch.resend(RequestBatch.UNACKNOWLEDGED));
    return again;
  }

  private List<RequestBatch> leaveCurrent() {
    Pending first = currentChannel.requestsById.remove(currentChannel.firstAck);
    if (!currentChannel.requestsById.isEmpty()) {
      retiredChannels.add(currentChannel);
    }
    currentChannel = new Channel();
    return first == null ? List.of() : List.of(first.batch);
  }

  private void sendExpiredAgain() {
    long now = nanoClock.getAsLong();
    List<RequestBatch> expired = expired(now);
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
      endpoint.isSilent(endpoint.termNumber(), now);
    }
    confirmedLately = false;
  }

  /** Removes and returns the requests that were not acknowledged within {@code ack-timeout}. */
  private List<RequestBatch> expired(long nowNanos) {
    List<RequestBatch> again = expired(currentChannel, nowNanos);
    boolean currentToo = !again.isEmpty();
    retiredChannels.forEach(channel -> again.addAll(expired(channel, nowNanos)));
    retiredChannels.removeIf(channel -> channel.requestsById.isEmpty());
    if (currentToo) {
      again.addAll(leaveCurrent());
    }
    return again;
  }

  private static List<RequestBatch> expired(Channel channel, long nowNanos) {
    channel.requestsById.values().removeIf(pending -> pending.batch.isOver());
    List<RequestBatch> late = new ArrayList<>();
    channel.requestsById.values().stream()
        .filter(pending -> pending.deadlineNanos - nowNanos <= 0)
        .forEach(pending -> late.add(pending.batch));
    channel.requestsById.values().removeIf(pending -> late.contains(pending.batch));
    return late;
  }

  @Override
  public long idleNanos(long nowNanos) {
    return polling ? Math.max(0, pollAtNanos - nowNanos) : Long.MAX_VALUE;
  }

  @Override
  public @Nullable Answer ask() throws IOException {
    sendExpiredAgain();
    long now = nanoClock.getAsLong();
    if (idleNanos(now) > 0) {
      return null;
    }
    Reply refusal = poll(now);
    return refusal == null ? null : AnswerReader.read(refusal, wallMillis.getAsLong());
  }

  /**
   * Asks about everything that is pending and settles what is acknowledged.
   *
   * @return the first reply that does not answer the question; null if all do
   */
  private @Nullable Reply poll(long nowNanos) throws IOException {
    Reply refusal = null;
    pollPauseNanos = Math.min(pollPauseNanos * 2, LONGEST_POLL_TIMES * pollNanos);
    pollAtNanos = nowNanos + pollPauseNanos;
    List<Channel> channels = new ArrayList<>(retiredChannels);
    channels.add(currentChannel);
    for (Channel channel : channels) {
      if (!channel.requestsById.isEmpty()) {
        Reply reply = ask(channel);
        refusal = refusal == null ? reply : refusal;
      }
    }
    retiredChannels.removeIf(channel -> channel.requestsById.isEmpty());
    if (refusal == null) {
      pollPauseNanos = pollNanos;
      pollAtNanos = nowNanos + pollNanos;
    }
    polling = !retiredChannels.isEmpty() || !currentChannel.requestsById.isEmpty();
    return refusal;
  }

  private @Nullable Reply ask(Channel channel) throws IOException {
    String ids =
        channel.requestsById.keySet().stream()
            .map(String::valueOf)
            .collect(Collectors.joining(","));
    Reply reply = connection.post(Connection.Post.ofAckQuery(channel.id, ids));
    Set<Long> indexed = ReplyBody.of(reply.body()).indexed();
    if (reply.status() != 200 || indexed == null) {
      return reply;
    }
    for (Long id : indexed) {
      Pending pending = channel.requestsById.remove(id);
      if (pending != null) {
        confirmedLately = true;
        endpoint.acknowledges(timeoutNanos, nanoClock.getAsLong());
        pending.batch.settle();
      }
    }
    return null;
  }
}
