package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Supplier;
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
    final String id;
    final Map<Long, Pending> pending = new LinkedHashMap<>();
    long firstAck = -1;
    long lastAck = -1;

    Channel(String id) {
      this.id = id;
    }
  }

  private final Connection connection;
  private final Supplier<String> ids;
  private final int mostPending;
  private final long pollNanos;
  private final long timeoutNanos;

  /** Of a channel without requests: an id that is confirmed once is not confirmed again. */
  private final String trialId;

  private Channel current;
  private final List<Channel> retired = new ArrayList<>();
  private boolean mixed;
  private boolean polling;
  private boolean confirmed;
  private long pollAtNanos;
  private long pollPauseNanos;

  /**
   * @param ids makes a new GUID
   * @param mostPending requests
   */
  Channels(
      Connection connection,
      Supplier<String> ids,
      int mostPending,
      long pollNanos,
      long timeoutNanos) {
    this.connection = connection;
    this.ids = ids;
    this.mostPending = mostPending;
    this.pollNanos = pollNanos;
    this.timeoutNanos = timeoutNanos;
    this.pollPauseNanos = pollNanos;
    this.trialId = ids.get();
    this.current = new Channel(ids.get());
  }

  /** How long an acknowledgement may take. */
  long timeoutNanos() {
    return timeoutNanos;
  }

  /** The channel for the next request. */
  String current() {
    return current.id;
  }

  boolean isFull() {
    int pending = current.pending.size();
    for (Channel channel : retired) {
      pending += channel.pending.size();
    }
    return pending >= mostPending;
  }

  /**
   * A request was received.
   *
   * @return what has to be sent again; not empty if the id shows that indexers are mixed up
   */
  List<RequestBatch> received(long ackId, RequestBatch batch, long nowNanos) {
    if (ackId <= current.lastAck) {
      mixed = true;
      List<RequestBatch> again = new ArrayList<>();
      current.pending.values().forEach(pending -> again.add(pending.batch));
      again.add(batch);
      current = new Channel(ids.get());
      return again;
    }
    if (current.firstAck < 0) {
      current.firstAck = ackId;
    }
    current.lastAck = ackId;
    current.pending.put(ackId, new Pending(batch, nowNanos + timeoutNanos));
    startPolling(nowNanos);
    return List.of();
  }

  private void startPolling(long nowNanos) {
    if (!polling) {
      polling = true;
      pollAtNanos = nowNanos + pollNanos / FIRST_POLL_PART;
    }
  }

  /**
   * Whether ids have shown that several indexers answer for one channel, or one that counts
   * wrongly: then each request has a channel of its own, or all would be sent again for ever.
   */
  boolean isMixed() {
    return mixed;
  }

  /** A channel for one request alone: should that fail, no other is concerned. */
  String newChannel() {
    return ids.get();
  }

  /** A request on a channel of its own was received. */
  void receivedAlone(String id, long ackId, RequestBatch batch, long nowNanos) {
    Channel alone = new Channel(id);
    alone.pending.put(ackId, new Pending(batch, nowNanos + timeoutNanos));
    retired.add(alone);
    startPolling(nowNanos);
  }

  /**
   * A request was not, or nobody knows.
   *
   * @return what has to be sent again beside it
   */
  List<RequestBatch> leave() {
    Pending first = current.pending.remove(current.firstAck);
    if (!current.pending.isEmpty()) {
      retired.add(current);
    }
    current = new Channel(ids.get());
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
      again.addAll(leave());
    }
    return again;
  }

  private static boolean expire(Channel channel, long nowNanos, List<RequestBatch> again) {
    boolean found = false;
    Iterator<Pending> all = channel.pending.values().iterator();
    while (all.hasNext()) {
      Pending pending = all.next();
      if (pending.batch.isOver()) {
        all.remove();
      } else if (pending.deadlineNanos - nowNanos <= 0) {
        all.remove();
        again.add(pending.batch);
        found = true;
      }
    }
    return found;
  }

  /** Whether indexers have confirmed anything since this was asked last. */
  boolean takeConfirmed() {
    boolean was = confirmed;
    confirmed = false;
    return was;
  }

  /** How long there is nothing to ask. */
  long idleNanos(long nowNanos) {
    if (!polling) {
      return Long.MAX_VALUE;
    }
    return Math.max(0, pollAtNanos - nowNanos);
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
    StringJoiner acks = new StringJoiner(",", "{\"acks\":[", "]}");
    channel.pending.keySet().forEach(id -> acks.add(Long.toString(id)));
    Reply reply = connection.post(question(channel.id, acks.toString()));
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

  /** A question that is of no consequence, to see whether the token has acknowledgement. */
  Connection.Post trial() {
    return question(trialId, "{\"acks\":[0]}");
  }

  private static Connection.Post question(String channel, String json) {
    byte[] body = json.getBytes(US_ASCII);
    return new Connection.Post(
        "/services/collector/ack?channel=" + channel, body, body.length, false, channel);
  }
}
