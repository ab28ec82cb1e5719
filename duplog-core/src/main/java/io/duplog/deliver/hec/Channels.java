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
 * A sender's requests that Splunk has received and whose indexing it has yet to confirm. Holds no
 * bytes, only which messages they are. Belongs to the sender's thread.
 *
 * <p>Ids count from the same number up on each channel of each indexer. They are never mixed, even
 * where a load balancer sends requests of one channel to several indexers:
 *
 * <ul>
 *   <li>An id that is not greater than the last one comes from another indexer. All that is pending
 *       on the channel is sent again on a new one.
 *   <li>After a request without an id nobody knows which indexer has counted it. Later requests use
 *       a new channel; had another indexer taken that one, it could confirm no id but its first. So
 *       the channel's first request is sent again, and the others are still asked for.
 * </ul>
 */
final class Channels {
  /** The first question comes sooner than the next ones, in this part of their pause. */
  private static final int FIRST_POLL_PART = 4;

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

  /** The last request's. */
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

  /** How long an acknowledgement may take. */
  long timeoutNanos() {
    return timeoutNanos;
  }

  /**
   * The channel for the next request. Where ids have shown that several indexers answer for one
   * channel, or one that counts wrongly, each request has its own, or all would be sent again for
   * ever.
   *
   * @param alone whether no other is to be concerned, should it fail
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
   * The last request was received.
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
   * The last request was not, or nobody knows.
   *
   * @return what has to be sent again beside it
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

  /** What was not confirmed in time, and has to be sent again. */
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

  /** Whether indexers have confirmed anything since this was asked last. */
  boolean takeConfirmed() {
    boolean was = confirmed;
    confirmed = false;
    return was;
  }

  /** How long there is nothing to ask. */
  long idleNanos(long nowNanos) {
    return polling ? Math.max(0, pollAtNanos - nowNanos) : Long.MAX_VALUE;
  }

  /**
   * Asks for everything that is pending and settles what is confirmed.
   *
   * @return the first reply that was no answer to that; null where all were
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
