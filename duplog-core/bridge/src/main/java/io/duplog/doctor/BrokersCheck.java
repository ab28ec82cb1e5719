package io.duplog.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.dedup.BridgeNotes;
import io.duplog.dedup.BrokerAgreement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.redis.RedisAgreement;
import io.duplog.dedup.redis.RedisInspection;
import io.duplog.dedup.redis.RedisStore;
import io.duplog.receive.QueueProbe;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.StreamBroker;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The doctor's check that streams, queues and Redis belong together. Each stream must have a queue
 * of its own, and one name everywhere. Bridges must read all its queues, and must share this Redis.
 *
 * @param queues the queues of all streams
 * @param redis the Redis with the bridges' notes, or null if they share none
 * @param readsFirstMessages whether to read the first message of a queue without consumers
 */
public record BrokersCheck(
    List<QueueSettings> queues, @Nullable RedisStore redis, boolean readsFirstMessages)
    implements Check {
  private static final String MISNAMED_EFFECT =
      "messages under the wrong name are delivered without deduplication: twice if other nodes"
          + " have them too";

  /**
   * Age in milliseconds above which a bridge's note is ignored. Bridges renew it every 2 seconds.
   */
  private static final long FRESH_MILLIS = 60_000;

  private record ProbedQueue(QueueSettings queue, QueueProbe probe) {}

  @Override
  public String subject() {
    return "streams and brokers";
  }

  @Override
  public void examine(Findings findings) {
    List<ProbedQueue> all = new ArrayList<>();
    try {
      for (QueueSettings queue : queues) {
        all.add(new ProbedQueue(queue, QueueProbe.open(queue)));
      }
      sharedQueues(all, findings);
      RedisAgreement agreement = agreement();
      List<StreamBroker> own = brokers(all);
      exchangedNames(all, readByBridges(agreement.notes()), findings);
      otherDeployment(own, agreement, findings);
      unreadQueues(agreement.notes(), findings);
      if (agreement.agreed() != null) {
        readersElsewhere(all, agreement.bridges().size(), findings);
      }
      firstMessages(all, findings);
      if (findings.list().isEmpty()) {
        findings.ok("each stream has its own queue");
      }
    } catch (IOException e) {
      findings.notChecked(
          "whether two streams read one queue: " + e.getMessage(),
          "run this again when the brokers answer, as a user that may declare "
              + queues.get(0).queue()
              + ".doctor.*");
    } finally {
      all.forEach(each -> each.probe().close());
    }
  }

  private static void sharedQueues(List<ProbedQueue> all, Findings findings) throws IOException {
    for (int i = 0; i < all.size(); i++) {
      QueueSettings one = all.get(i).queue();
      String mark = null;
      for (ProbedQueue probed : all.subList(i + 1, all.size())) {
        QueueSettings other = probed.queue();
        if (!other.queue().equals(one.queue()) || other.stream().equals(one.stream())) {
          continue;
        }
        mark = mark == null ? all.get(i).probe().mark() : mark;
        if (probed.probe().sees(mark)) {
          findings.problem(
              "streams %s (%s) and %s (%s) both read queue %s of the same broker"
                  .formatted(
                      one.stream(), one.address(), other.stream(), other.address(), one.queue()),
              MISNAMED_EFFECT + "; the other node is not read",
              "under streams, set each host to that node's own broker");
        }
      }
    }
  }

  /** Reports a problem if another bridge reads a stream's broker as a different stream. */
  private static void exchangedNames(
      List<ProbedQueue> all, Map<String, String> read, Findings findings) throws IOException {
    for (ProbedQueue each : all) {
      StreamBroker broker = each.probe().broker();
      String name = broker == null ? null : broker.id();
      String theirs = read.get(each.queue().stream());
      if (name == null || theirs == null || theirs.equals(name)) {
        continue;
      }
      read.forEach(
          (stream, other) -> {
            if (other.equals(name)) {
              findings.problem(
                  "%s, whose identity is %s, is read by another bridge as stream %s"
                      .formatted(each.queue(), name, stream),
                  MISNAMED_EFFECT,
                  "correct the names under streams: each must equal its node's shim's stream, on every bridge");
            }
          });
    }
  }

  private static List<StreamBroker> brokers(List<ProbedQueue> all) throws IOException {
    List<StreamBroker> brokers = new ArrayList<>();
    for (ProbedQueue each : all) {
      StreamBroker broker = each.probe().broker();
      if (broker != null) {
        brokers.add(broker);
      }
    }
    return brokers;
  }

  /** Reports a problem if bridges of another deployment use the same keys in Redis. */
  private void otherDeployment(
      List<StreamBroker> own, RedisAgreement agreement, Findings findings) {
    if (redis == null) {
      return;
    }
    BrokerAgreement brokers = agreement.brokers();
    BrokerAgreement.Conflict conflict = brokers.compare("", own, name -> true);
    if (conflict != null) {
      findings.problem(
          BrokerAgreement.difference(own, conflict, redis.config().prefix()),
          BrokerAgreement.CONSEQUENCE,
          BrokerAgreement.remedy(own, conflict));
      return;
    }
    for (BridgeNotes.Note note : agreement.notes()) {
      String refused = BridgeNotes.refusedBridge(note.subject());
      if (refused != null && note.ageMillis() < FRESH_MILLIS) {
        findings.problem(
            "Redis rejects bridge %s, which reads other brokers but has the same dedup.redis.prefix %s"
                .formatted(refused, redis.config().prefix()),
            BrokerAgreement.CONSEQUENCE,
            BrokerAgreement.REMEDY);
        return;
      }
    }
    if (brokers.isForeign(own)) {
      findings.warning(
          "the last bridges with dedup.redis.prefix %s read other brokers than this file"
              .formatted(redis.config().prefix()),
          "a bridge that starts with this file discards their counts, and may deliver messages of"
              + " the last window twice",
          "nothing if all brokers were rebuilt, or if a trial is over; otherwise give each deployment"
              + " its own dedup.redis.prefix");
    }
  }

  /**
   * Returns the bridges' agreement and notes in Redis, or an empty agreement if Redis is
   * unavailable.
   */
  private RedisAgreement agreement() {
    if (redis == null) {
      return RedisAgreement.NONE;
    }
    try (RedisInspection inspection = new RedisInspection(redis)) {
      return inspection.agreement();
    } catch (LedgerUnavailableException e) {
      return RedisAgreement.NONE; // reported by the Redis check
    }
  }

  /** Warns if a queue has more consumers than there are bridges that share this Redis. */
  private static void readersElsewhere(List<ProbedQueue> all, int sharing, Findings findings)
      throws IOException {
    for (ProbedQueue each : all) {
      if (each.probe().queue() instanceof QueueProbe.State.AsDeclared queue
          && queue.consumers() > sharing) {
        findings.warning(
            "%d bridges read %s, but only %d share this Redis"
                .formatted(queue.consumers(), each.queue(), sharing),
            "messages that are counted elsewhere, or not at all, are delivered twice",
            "set the same dedup.redis and dedup.store on every bridge, and check their logs for rejections;"
                + " a bridge that has just started shares Redis within seconds");
        return;
      }
    }
  }

  private Map<String, String> readByBridges(List<BridgeNotes.Note> notes) {
    Map<String, String> read = new HashMap<>();
    for (BridgeNotes.Note note : notes) {
      for (QueueSettings queue : queues) {
        if (note.subject().equals(BridgeNotes.brokerOf(queue.stream()))
            && note.ageMillis() < FRESH_MILLIS) {
          read.put(queue.stream(), note.text());
        }
      }
    }
    return read;
  }

  /**
   * Compares the number of queues to which each running shim publishes, as reported by its last
   * heartbeat, with the number that this file reads.
   */
  private void unreadQueues(List<BridgeNotes.Note> notes, Findings findings) {
    Map<String, Integer> read = new LinkedHashMap<>();
    queues.forEach(queue -> read.put(queue.stream(), queue.share().siblings()));
    for (BridgeNotes.Note note : notes) {
      read.forEach(
          (stream, count) -> {
            Heartbeat last =
                note.subject().equals(BridgeNotes.heartbeatOf(stream))
                    ? Heartbeat.decode(note.text().replaceFirst("^.*\n", "").getBytes(UTF_8))
                    : null;
            if (last != null
                && last.report().queues() > count
                && note.ageMillis() < Heartbeat.PATIENCE * last.intervalMillis()) {
              findings.problem(
                  "the shim of %s publishes to %d queues, but this file reads only %d"
                      .formatted(stream, last.report().queues(), count),
                  "messages that only this node has in the other queues are not delivered by a bridge with this file",
                  "set queue-count of %s under streams to %d on every bridge, or broker.queue-count of its shim to %d"
                      .formatted(stream, last.report().queues(), count));
            }
          });
    }
  }

  private void firstMessages(List<ProbedQueue> all, Findings findings) throws IOException {
    for (ProbedQueue each : readsFirstMessages ? all : List.<ProbedQueue>of()) {
      boolean unread =
          each.probe().queue() instanceof QueueProbe.State.AsDeclared queue
              && queue.consumers() == 0
              && queue.ready() > 0;
      String stream = unread ? each.probe().headStream() : null;
      if (stream != null && !stream.equals(each.queue().stream())) {
        findings.problem(
            "a message in %s names stream %s".formatted(each.queue(), printable(stream)),
            MISNAMED_EFFECT,
            "make the name under streams and the shim's stream equal; messages from before a change"
                + " of the name are still delivered");
      }
    }
  }

  private static String printable(String stream) {
    return Topology.isStreamName(stream) ? stream : "an invalid name";
  }
}
