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
 * Waits until indexers acknowledge the requests that Splunk has received, and sends a request again
 * if that takes too long. It settles a request's messages once the request is acknowledged. Reports
 * to the endpoint whether acknowledgements arrive. Holds the requests' messages but no bytes. Not
 * thread-safe. Belongs to the sender's thread.
 *
 * <p>Each indexer counts acknowledgement ids from the same first number on each channel. Ids from
 * two indexers are never confused, even if a load balancer sends requests of one channel to several
 * indexers. Two rules ensure this:
 *
 * <ul>
 *   <li>An id that is not greater than the last one comes from another indexer. All pending
 *       requests of the channel are resent on a new channel.
 *   <li>A request that got no id may have been counted by another indexer. Later requests use a new
 *       channel. On the old one, the other indexer could acknowledge only the first id, so the
 *       channel's first request is resent. Its other requests are still polled.
 * </ul>
 *
 * @see "docs/decisions/hec.md#hec-acknowledgement"
 */
final class Channels implements Acknowledgement {
  /** Divisor of {@code ack-poll} that gives the pause before the first acknowledgement query. */
  private static final int FIRST_POLL_DIVISOR = 4;

  /**
   * Factor of {@code ack-poll} that gives the maximum pause after failed acknowledgement queries.
   */
  private static final int MAX_POLL_FACTOR = 30;

  private record PendingRequest(RequestBatch batch, long deadlineNanos) {}

  private static final class Channel {
    final String id = UUID.randomUUID().toString();

    /** Pending requests by acknowledgement id. */
    final Map<Long, PendingRequest> requestsById = new LinkedHashMap<>();

    long firstAck = -1;
    long lastAck = -1;
  }

  private final Connection connection;
  private final Endpoint endpoint;
  private final SendQueue queue;
  private final AnswerCounts answerCounts;
  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;
  private final int maxPending;
  private final long pollNanos;
  private final long timeoutNanos;

  /** The channel for later requests, unless each gets a channel of its own. */
  private Channel currentChannel = new Channel();

  /** The channel of the latest request. */
  private Channel lastChannel = currentChannel;

  /** Channels that get no new requests but have pending ones. */
  private final List<Channel> retiredChannels = new ArrayList<>();

  /** Whether ids on one channel have come from several indexers. */
  private boolean hasSeveralIndexers;

  private boolean isPolling;

  /** Whether the indexers have acknowledged any request since requests last timed out. */
  private boolean isAcknowledging;

  private long nextPollNanos;
  private long pollPauseNanos;

  Channels(
      HecSinkConfig config,
      Connection connection,
      Endpoint endpoint,
      SendQueue queue,
      AnswerCounts answerCounts,
      HecEnvironment environment) {
    this.connection = connection;
    this.endpoint = endpoint;
    this.queue = queue;
    this.answerCounts = answerCounts;
    this.nanoClock = environment.nanoClock();
    this.wallMillis = environment.wallMillis();
    this.maxPending = config.ackPending();
    this.pollNanos = config.ackPoll().toNanos();
    this.timeoutNanos = config.ackTimeout().toNanos();
    this.pollPauseNanos = pollNanos;
  }

  /**
   * {@inheritDoc} Once a channel was spread over several indexers, each request gets a channel of
   * its own. All pending requests of a shared channel would be resent again and again.
   */
  @Override
  public String channelId(boolean isSuspected) {
    lastChannel = isSuspected || hasSeveralIndexers ? new Channel() : currentChannel;
    return lastChannel.id;
  }

  @Override
  public boolean isFull() {
    int retiredRequests =
        retiredChannels.stream().mapToInt(channel -> channel.requestsById.size()).sum();
    return currentChannel.requestsById.size() + retiredRequests >= maxPending;
  }

  @Override
  public @Nullable List<RequestBatch> onAccepted(
      Answer.Accepted answer, RequestBatch sent, long nowNanos) {
    Long ackId = answer.ackId();
    if (ackId == null) {
      return null;
    }
    if (ackId <= lastChannel.lastAck) {
      return abandonChannel(sent, nowNanos);
    }
    if (lastChannel.firstAck < 0) {
      lastChannel.firstAck = ackId;
    }
    lastChannel.lastAck = ackId;
    lastChannel.requestsById.put(ackId, new PendingRequest(sent, nowNanos + timeoutNanos));
    if (lastChannel != currentChannel) {
      retiredChannels.add(lastChannel);
    }
    if (!isPolling) {
      isPolling = true;
      nextPollNanos = nowNanos + pollNanos / FIRST_POLL_DIVISOR;
    }
    return List.of();
  }

  /** Abandons the channel of the last request and returns all requests on it, to be resent. */
  private List<RequestBatch> abandonChannel(RequestBatch sent, long nowNanos) {
    hasSeveralIndexers = true;
    List<RequestBatch> resent = new ArrayList<>();
    lastChannel.requestsById.values().forEach(pending -> resent.add(pending.batch));
    resent.add(sent);
    if (lastChannel == currentChannel) {
      currentChannel = new Channel();
    }
    resent.forEach(batch -> batch.markResent(RequestBatch.UNACKNOWLEDGED));
    endpoint.warnAboutAcknowledgements(
        endpoint.name()
            + " gave the same acknowledgement id twice: a load balancer spreads one channel over"
            + " several indexers. Resending unacknowledged requests, which may cause duplicates."
            + " Each further request of this connection uses its own channel. Make the load"
            + " balancer sticky.",
        nowNanos);
    return resent;
  }

  @Override
  public void onReceived(RequestBatch sent) {
    // the messages are settled once the indexers acknowledge them
  }

  @Override
  public List<RequestBatch> leaveChannel() {
    List<RequestBatch> resent = lastChannel == currentChannel ? leaveCurrent() : List.of();
    resent.forEach(batch -> batch.markResent(RequestBatch.UNACKNOWLEDGED));
    return resent;
  }

  private List<RequestBatch> leaveCurrent() {
    PendingRequest first = currentChannel.requestsById.remove(currentChannel.firstAck);
    if (!currentChannel.requestsById.isEmpty()) {
      retiredChannels.add(currentChannel);
    }
    currentChannel = new Channel();
    return first == null ? List.of() : List.of(first.batch);
  }

  private void resendExpired() {
    long now = nanoClock.getAsLong();
    List<RequestBatch> expired = removeExpired(now);
    if (expired.isEmpty()) {
      return;
    }
    expired.forEach(batch -> batch.markResent(RequestBatch.ACK_TIMEOUT));
    answerCounts.countAckTimeouts(expired.size());
    queue.putBackRequests(expired);
    endpoint.warnAboutAcknowledgements(
        endpoint.name()
            + " has not acknowledged received requests within ack-timeout. Resending them, which"
            + " may cause duplicates. Check the load of the indexers.",
        now);
    if (!isAcknowledging) {
      endpoint.onAckTimeout(endpoint.termNumber(), now);
    }
    isAcknowledging = false;
  }

  /** Removes and returns the requests that were not acknowledged within {@code ack-timeout}. */
  private List<RequestBatch> removeExpired(long nowNanos) {
    List<RequestBatch> expired = removeExpired(currentChannel, nowNanos);
    boolean isCurrentExpired = !expired.isEmpty();
    retiredChannels.forEach(channel -> expired.addAll(removeExpired(channel, nowNanos)));
    retiredChannels.removeIf(channel -> channel.requestsById.isEmpty());
    if (isCurrentExpired) {
      expired.addAll(leaveCurrent());
    }
    return expired;
  }

  private static List<RequestBatch> removeExpired(Channel channel, long nowNanos) {
    channel.requestsById.values().removeIf(pending -> pending.batch.isDone());
    List<RequestBatch> expired = new ArrayList<>();
    channel.requestsById.values().stream()
        .filter(pending -> pending.deadlineNanos - nowNanos <= 0)
        .forEach(pending -> expired.add(pending.batch));
    channel.requestsById.values().removeIf(pending -> expired.contains(pending.batch));
    return expired;
  }

  @Override
  public long idleNanos(long nowNanos) {
    return isPolling ? Math.max(0, nextPollNanos - nowNanos) : Long.MAX_VALUE;
  }

  @Override
  public @Nullable Answer poll() throws IOException {
    resendExpired();
    long now = nanoClock.getAsLong();
    if (idleNanos(now) > 0) {
      return null;
    }
    Reply failure = pollAll(now);
    return failure == null ? null : AnswerReader.read(failure, wallMillis.getAsLong());
  }

  /**
   * Polls for all pending requests and settles those that are acknowledged.
   *
   * @return the first reply that is not an answer to the query, or null if there was none
   */
  private @Nullable Reply pollAll(long nowNanos) throws IOException {
    Reply failure = null;
    pollPauseNanos = Math.min(pollPauseNanos * 2, MAX_POLL_FACTOR * pollNanos);
    nextPollNanos = nowNanos + pollPauseNanos;
    List<Channel> channels = new ArrayList<>(retiredChannels);
    channels.add(currentChannel);
    for (Channel channel : channels) {
      if (!channel.requestsById.isEmpty()) {
        Reply reply = poll(channel);
        failure = failure == null ? reply : failure;
      }
    }
    retiredChannels.removeIf(channel -> channel.requestsById.isEmpty());
    if (failure == null) {
      pollPauseNanos = pollNanos;
      nextPollNanos = nowNanos + pollNanos;
    }
    isPolling = !retiredChannels.isEmpty() || !currentChannel.requestsById.isEmpty();
    return failure;
  }

  private @Nullable Reply poll(Channel channel) throws IOException {
    String ids =
        channel.requestsById.keySet().stream()
            .map(String::valueOf)
            .collect(Collectors.joining(","));
    Reply reply = connection.post(Connection.Post.ofAckQuery(channel.id, ids));
    Set<Long> acknowledgedIds = ReplyBody.of(reply.body()).acknowledgedIds();
    if (reply.status() != 200 || acknowledgedIds == null) {
      return reply;
    }
    for (Long id : acknowledgedIds) {
      PendingRequest pending = channel.requestsById.remove(id);
      if (pending != null) {
        isAcknowledging = true;
        endpoint.onAcknowledged(timeoutNanos, nanoClock.getAsLong());
        pending.batch.settle();
      }
    }
    return null;
  }
}
