package io.duplog.deliver.hec;

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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A sender's requests that Splunk has received and the indexers have yet to acknowledge. Holds the
 * requests' messages but no bytes. Belongs to the sender's thread.
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
 * @see "docs/decisions/hec-acknowledgement.md"
 */
final class Channels {
  /** Divisor of {@code ack-poll} that gives the pause before the first acknowledgement query. */
  private static final int FIRST_POLL_PART = 4;

  /**
   * Factor of {@code ack-poll} that gives the longest pause after failed acknowledgement queries.
   */
  private static final int LONGEST_POLL_TIMES = 30;

  private record Pending(RequestBatch batch, long deadlineNanos) {}

  private static final class Channel {
    final String id = UUID.randomUUID().toString();
    final Map<Long, Pending> pending = new LinkedHashMap<>();
    long firstAck = -1;
    long lastAck = -1;
  }

  private final Connection connection;
  private final int mostPending;
  private final long pollNanos;
  private final long timeoutNanos;

  private Channel current = new Channel();

  /** The channel of the latest request. */
  private Channel used = current;

  private final List<Channel> retired = new ArrayList<>();
  private boolean mixed;
  private boolean polling;
  private boolean confirmed;
  private long pollAtNanos;
  private long pollPauseNanos;

  Channels(HecSinkConfig config, Connection connection) {
    this.connection = connection;
    this.mostPending = config.ackPending();
    this.pollNanos = config.ackPoll().toNanos();
    this.timeoutNanos = config.ackTimeout().toNanos();
    this.pollPauseNanos = pollNanos;
  }

  /** Returns the longest time in nanoseconds that an acknowledgement may take. */
  long timeoutNanos() {
    return timeoutNanos;
  }

  /**
   * Returns the id of the channel for the next request. Once ids were mixed up, each request gets a
   * channel of its own, because all pending requests of a shared channel would be sent again and
   * again.
   *
   * @param alone whether to use a new channel, so that a failure concerns no other request
   */
  String next(boolean alone) {
    used = alone || mixed ? new Channel() : current;
    return used.id;
  }

  boolean isFull() {
    int pending = retired.stream().mapToInt(channel -> channel.pending.size()).sum();
    return current.pending.size() + pending >= mostPending;
  }

  /**
   * Called when the last request was received.
   *
   * @return what has to be sent again; not empty if the id shows that indexers are mixed up
   */
  List<RequestBatch> received(long ackId, RequestBatch batch, long nowNanos) {
    if (ackId <= used.lastAck) {
      mixed = true;
      List<RequestBatch> again = new ArrayList<>();
      used.pending.values().forEach(pending -> again.add(pending.batch));
      again.add(batch);
      if (used == current) {
        current = new Channel();
      }
      return again;
    }
    if (used.firstAck < 0) {
      used.firstAck = ackId;
    }
    used.lastAck = ackId;
    used.pending.put(ackId, new Pending(batch, nowNanos + timeoutNanos));
    if (used != current) {
      retired.add(used);
    }
    if (!polling) {
      polling = true;
      pollAtNanos = nowNanos + pollNanos / FIRST_POLL_PART;
    }
    return List.of();
  }

  /**
   * Called when the last request got no id but may have been counted. Leaves its channel.
   *
   * @return what has to be sent again beside the request itself
   */
  List<RequestBatch> leave() {
    return used == current ? leaveCurrent() : List.of();
  }

  private List<RequestBatch> leaveCurrent() {
    Pending first = current.pending.remove(current.firstAck);
    if (!current.pending.isEmpty()) {
      retired.add(current);
    }
    current = new Channel();
    return first == null ? List.of() : List.of(first.batch);
  }

  /** Removes and returns the requests that were not acknowledged within {@code ack-timeout}. */
  List<RequestBatch> expired(long nowNanos) {
    List<RequestBatch> again = new ArrayList<>();
    boolean currentToo = expire(current, nowNanos, again);
    retired.removeIf(
        channel -> {
          boolean unused = expire(channel, nowNanos, again);
          return channel.pending.isEmpty();
        });
    if (currentToo) {
      again.addAll(leaveCurrent());
    }
    return again;
  }

  private static boolean expire(Channel channel, long nowNanos, List<RequestBatch> again) {
    channel.pending.values().removeIf(pending -> pending.batch.isOver());
    List<Pending> late =
        channel.pending.values().stream()
            .filter(pending -> pending.deadlineNanos - nowNanos <= 0)
            .toList();
    channel.pending.values().removeAll(late);
    late.forEach(pending -> again.add(pending.batch));
    return !late.isEmpty();
  }

  /** Whether the indexers have acknowledged a request since this method was last called. */
  boolean takeConfirmed() {
    boolean was = confirmed;
    confirmed = false;
    return was;
  }

  /** Returns the time in nanoseconds until the next acknowledgement query is due. */
  long idleNanos(long nowNanos) {
    return polling ? Math.max(0, pollAtNanos - nowNanos) : Long.MAX_VALUE;
  }

  /**
   * Asks about everything that is pending and settles what is acknowledged.
   *
   * @return the first reply that does not answer the question; null if all do
   */
  @Nullable Reply poll(long nowNanos) throws IOException {
    Reply refusal = null;
    pollPauseNanos = Math.min(pollPauseNanos * 2, LONGEST_POLL_TIMES * pollNanos);
    pollAtNanos = nowNanos + pollPauseNanos;
    List<Channel> channels = new ArrayList<>(retired);
    channels.add(current);
    for (Channel channel : channels) {
      if (!channel.pending.isEmpty()) {
        Reply reply = ask(channel);
        refusal = refusal == null ? reply : refusal;
      }
    }
    retired.removeIf(channel -> channel.pending.isEmpty());
    if (refusal == null) {
      pollPauseNanos = pollNanos;
      pollAtNanos = nowNanos + pollNanos;
    }
    polling = !retired.isEmpty() || !current.pending.isEmpty();
    return refusal;
  }

  private @Nullable Reply ask(Channel channel) throws IOException {
    String ids =
        channel.pending.keySet().stream().map(String::valueOf).collect(Collectors.joining(","));
    Reply reply = connection.post(Connection.Post.ofAckQuery(channel.id, ids));
    Set<Long> indexed = ReplyBody.of(reply.body()).indexed();
    if (reply.status() != 200 || indexed == null) {
      return reply;
    }
    for (Long id : indexed) {
      Pending pending = channel.pending.remove(id);
      if (pending != null) {
        pending.batch.settle();
        confirmed = true;
      }
    }
    return null;
  }
}
