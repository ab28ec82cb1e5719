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
 * Checks whether each stream has a queue of its own, whatever the brokers' addresses are, and
 * whether other bridges read the same queue under that name.
 *
 * @param queues of all streams
 * @param redis where the bridges tell each other what they read; null if they share none
 * @param looksInside whether to look at the first message of a queue that nobody reads
 */
public record BrokersCheck(
    List<QueueSettings> queues, @Nullable RedisStore redis, boolean looksInside) implements Check {
  private static final String DELIVERED =
      "what comes under the wrong name is delivered without being compared: twice where other nodes"
          + " have it too";

  /**
   * Age in milliseconds above which a bridge's note is ignored; bridges renew it every 2 seconds.
   */
  private static final long FRESH_MILLIS = 60_000;

  private record Looked(QueueSettings queue, QueueProbe probe) {}

  @Override
  public String subject() {
    return "streams and brokers";
  }

  @Override
  public void examine(Findings findings) {
    List<Looked> all = new ArrayList<>();
    try {
      for (QueueSettings queue : queues) {
        all.add(new Looked(queue, QueueProbe.open(queue)));
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
        findings.ok("each stream has a queue of its own");
      }
    } catch (IOException e) {
      findings.notChecked(
          "whether two streams are one queue: " + e.getMessage(),
          "brokers that answer, and a user that may declare "
              + queues.get(0).queue()
              + ".doctor.*");
    } finally {
      all.forEach(each -> each.probe().close());
    }
  }

  private static void sharedQueues(List<Looked> all, Findings findings) throws IOException {
    for (int i = 0; i < all.size(); i++) {
      QueueSettings one = all.get(i).queue();
      String mark = null;
      for (Looked looked : all.subList(i + 1, all.size())) {
        QueueSettings other = looked.queue();
        if (!other.queue().equals(one.queue()) || other.stream().equals(one.stream())) {
          continue;
        }
        mark = mark == null ? all.get(i).probe().mark() : mark;
        if (looked.probe().sees(mark)) {
          findings.problem(
              "streams %s (%s) and %s (%s) are one queue, %s of one broker"
                  .formatted(
                      one.stream(), one.address(), other.stream(), other.address(), one.queue()),
              DELIVERED + "; the other node is not read",
              "streams: the host of each node's own broker");
        }
      }
    }
  }

  /** Reports a problem if another bridge reads a stream's broker as a different stream. */
  private static void exchangedNames(List<Looked> all, Map<String, String> read, Findings findings)
      throws IOException {
    for (Looked each : all) {
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
                  "%s, which calls itself %s, is what another bridge reads as %s"
                      .formatted(each.queue(), name, stream),
                  DELIVERED,
                  "the names under streams: each must be that of its node's shim, on every bridge");
            }
          });
    }
  }

  private static List<StreamBroker> brokers(List<Looked> all) throws IOException {
    List<StreamBroker> brokers = new ArrayList<>();
    for (Looked each : all) {
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
            "Redis refuses bridge %s, which reads other brokers and has the same dedup.redis.prefix %s"
                .formatted(refused, redis.config().prefix()),
            BrokerAgreement.CONSEQUENCE,
            BrokerAgreement.REMEDY);
        return;
      }
    }
    if (brokers.isForeign(own)) {
      findings.warning(
          "bridges with dedup.redis.prefix %s last read other brokers than this file names"
              .formatted(redis.config().prefix()),
          "a bridge that starts with this file forgets what they counted, and may deliver its"
              + " messages of the last window twice",
          "nothing if all brokers were rebuilt, or if a trial is over; otherwise a dedup.redis.prefix"
              + " of its own for each deployment");
    }
  }

  /** Returns what the bridges have agreed on and noted in Redis; empty if Redis can't be asked. */
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
  private static void readersElsewhere(List<Looked> all, int sharing, Findings findings)
      throws IOException {
    for (Looked each : all) {
      if (each.probe().queue() instanceof QueueProbe.State.AsDeclared queue
          && queue.consumers() > sharing) {
        findings.warning(
            "%d bridges read %s, and %d share this Redis"
                .formatted(queue.consumers(), each.queue(), sharing),
            "what is counted elsewhere, or nowhere, comes twice",
            "the same dedup.redis and dedup.store on every bridge, or what its log says that Redis"
                + " refuses; one that has just begun shares it within seconds");
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
   * Compares the number of queues that each living shim publishes to, which its last heartbeat has,
   * with the number that this file reads.
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
                  "the shim of %s publishes to %d queues, of which this file reads %d"
                      .formatted(stream, last.report().queues(), count),
                  "what only this node has in the others is delivered by no bridge with this file",
                  "queue-count of %s under streams to %d on every bridge, or broker.queue-count of its shim to %d"
                      .formatted(stream, last.report().queues(), count));
            }
          });
    }
  }

  private void firstMessages(List<Looked> all, Findings findings) throws IOException {
    for (Looked each : looksInside ? all : List.<Looked>of()) {
      boolean unread =
          each.probe().queue() instanceof QueueProbe.State.AsDeclared queue
              && queue.consumers() == 0
              && queue.ready() > 0;
      String stream = unread ? each.probe().headStream() : null;
      if (stream != null && !stream.equals(each.queue().stream())) {
        findings.problem(
            "what waits in %s says that it is of %s".formatted(each.queue(), printable(stream)),
            DELIVERED,
            "the name under streams, or the shim's stream: both must be the same; what waits from"
                + " before a change of the name is delivered");
      }
    }
  }

  private static String printable(String stream) {
    return Topology.isStreamName(stream) ? stream : "a name that is no stream's";
  }
}
