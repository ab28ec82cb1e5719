package io.duplog.explore;

import io.duplog.dedup.Claim;
import io.duplog.dedup.ExplorableStore;
import io.duplog.dedup.ExplorableStore.BrokenClause;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two bridges of production classes around fake brokers, a fake sink and the production store. It
 * can say which steps are possible, take one, and describe its state.
 */
final class World {
  private static final int BRIDGES = 2;
  private static final Map<String, MessageBatch> BATCHES = new HashMap<>();

  /** Something that may happen next. Steps that are no fault do happen, sooner or later. */
  record Step(@Nullable Fault fault, Supplier<String> label, Runnable run) {}

  private record Delayed(String bridge, Claim claim) {}

  final ExplorableStore store;
  final boolean observing;
  boolean redisUp = true;
  private final History history;
  private final Map<Fault, Integer> budget;
  private final List<FakeBroker> brokers = new ArrayList<>();
  private final List<@Nullable ExploredBridge> bridges = new ArrayList<>();
  private final Map<Character, Integer> sink = new TreeMap<>();
  private final List<Delayed> delayed = new ArrayList<>();

  /**
   * Bridges that died and are started again. To keep the exploration small that happens only when
   * no other bridge is left, since the other one serves as well as a new one.
   */
  private final boolean[] comingBack = new boolean[BRIDGES];

  private int incarnations;
  private int tokens;
  private boolean snapshotTaken;
  private boolean duplicatesLicensed;

  /**
   * @param observing whether the bridges deliver what they drop, too
   */
  World(History history, Map<Fault, Integer> faults, Set<BrokenClause> broken, boolean observing) {
    this.observing = observing;
    this.history = history;
    this.budget = new EnumMap<>(Fault.class);
    budget.putAll(faults);
    this.store = new ExplorableStore(history.streams(), broken, () -> "e" + tokens++);
    for (int i = 0; i < history.streams(); i++) {
      brokers.add(new FakeBroker());
    }
    for (int i = 0; i < history.batches().size(); i++) {
      brokers.get(history.batches().get(i).stream()).publish(i, 0);
    }
    for (int i = 0; i < BRIDGES; i++) {
      bridges.add(newBridge());
    }
  }

  private ExploredBridge newBridge() {
    return new ExploredBridge("br" + incarnations++, this);
  }

  /** Every step that is possible now, always in the same order. */
  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (ExploredBridge bridge : bridges) {
      if (bridge != null) {
        addStepsOf(bridge, steps);
      }
    }
    for (int b = 0; b < bridges.size(); b++) {
      int index = b;
      if (comingBack[b] && bridges.stream().allMatch(Objects::isNull)) {
        steps.add(
            new Step(
                null,
                () -> "a bridge is started again",
                () -> {
                  comingBack[index] = false;
                  bridges.set(index, newBridge());
                }));
      }
    }
    for (int i = 0; i < incarnations; i++) {
      String name = "br" + i;
      if (redisUp && store.hasLease(name) && !isAlive(name)) {
        steps.add(new Step(null, () -> "lease of " + name + " lapses", () -> store.lapse(name)));
      }
    }
    if (!redisUp) {
      steps.add(new Step(null, () -> "Redis is back", () -> redisUp = true));
    }
    addFaults(steps);
    return steps;
  }

  private void addStepsOf(ExploredBridge bridge, List<Step> steps) {
    for (int k = 0; k < brokers.size(); k++) {
      FakeBroker broker = brokers.get(k);
      String where = bridge.name + " stream " + k;
      if (broker.hasReady()) {
        addReceive(bridge, broker, where, steps);
      }
      if (broker.hasAcknowledgement(bridge.name)) {
        steps.add(
            new Step(
                null,
                () -> where + ": acknowledged",
                () -> broker.takeAcknowledgement(bridge.name)));
      }
    }
    for (int i = 0; i < bridge.parked.size(); i++) {
      int index = i;
      steps.add(
          new Step(null, () -> bridge.name + " judges again", () -> bridge.judgeAgain(index)));
    }
    for (int i = 0; i < bridge.atSink.size(); i++) {
      int index = i;
      ExploredBridge.AtSink parcel = bridge.atSink.get(i);
      steps.add(
          new Step(
              null,
              () -> "sink accepts " + parcel + " of " + bridge.name,
              () ->
                  bridge
                      .accept(index)
                      .chars()
                      .forEach(c -> sink.merge((char) c, 1, Integer::sum))));
    }
    steps.add(new Step(null, () -> bridge.name + " runs", () -> bridge.settler.runOnce()));
    if (redisUp) {
      addFault(
          Fault.ADVANCE_ANSWER_LOST,
          bridge.name,
          steps,
          () -> {
            bridge.ledger.next = FaultyLedger.Next.ANSWER_LOST;
            bridge.settler.runOnce();
            bridge.ledger.next = FaultyLedger.Next.WORKS;
          });
    }
  }

  private void addReceive(
      ExploredBridge bridge, FakeBroker broker, String where, List<Step> steps) {
    Runnable receive =
        () -> {
          FakeBroker.Publication next = broker.peek();
          bridge.receive(broker, history.batches().get(next.batch()));
        };
    steps.add(new Step(null, () -> where + ": receives " + broker.peek(), receive));
    if (redisUp) {
      addFault(
          Fault.JUDGEMENT_ANSWER_LOST,
          where,
          steps,
          () -> {
            bridge.ledger.next = FaultyLedger.Next.ANSWER_LOST;
            receive.run();
          });
      addFault(
          Fault.JUDGEMENT_DELAYED,
          where,
          steps,
          () -> {
            bridge.ledger.next = FaultyLedger.Next.DELAYED;
            receive.run();
          });
    }
  }

  private void addFaults(List<Step> steps) {
    for (int b = 0; b < bridges.size(); b++) {
      ExploredBridge bridge = bridges.get(b);
      if (bridge == null) {
        continue;
      }
      int host = b;
      if (bridge.holdsAnything()) {
        addFault(Fault.BRIDGE_DIES, bridge.name, steps, () -> die(host, true));
        addFault(Fault.SINK_STALLS, bridge.name, steps, bridge::waitPastHoldLimit);
        addFault(
            Fault.SINK_AWAY,
            bridge.name,
            steps,
            () -> {
              bridge.waitPastHoldLimit();
              bridge.withdraw();
              brokers.forEach(broker -> broker.loseChannel(bridge.name));
            });
      }
      if (redisUp && store.hasLease(bridge.name)) {
        addFault(Fault.BRIDGE_HANGS, bridge.name, steps, () -> store.lapse(bridge.name));
      }
      if (host < brokers.size() && brokers.get(host).alive) {
        addFault(
            Fault.HOST_LOST,
            "host " + host,
            steps,
            () -> {
              die(host, false);
              brokers.get(host).burn();
            });
      }
      for (int k = 0; k < brokers.size(); k++) {
        FakeBroker broker = brokers.get(k);
        if (!broker.channel(bridge.name).unacknowledged.isEmpty()) {
          addFault(
              Fault.CHANNEL_LOST,
              bridge.name + " stream " + k,
              steps,
              () -> broker.loseChannel(bridge.name));
        }
      }
    }
    addRedisFaults(steps);
    for (int i = 0; i < history.batches().size(); i++) {
      int batch = i;
      FakeBroker broker = brokers.get(history.batches().get(i).stream());
      if (broker.alive) {
        addFault(Fault.BATCH_REPEATED, "X" + i, steps, () -> broker.publish(batch, 1));
      }
    }
  }

  private void addRedisFaults(List<Step> steps) {
    if (!redisUp) {
      return;
    }
    addFault(Fault.WINDOW_PASSES, "", steps, store::passWindow);
    addFault(Fault.REDIS_FLUSHED, "", steps, store::restart);
    addFault(Fault.REDIS_AWAY, "", steps, () -> redisUp = false);
    if (!snapshotTaken && budget.getOrDefault(Fault.REDIS_RESTORED, 0) > 0) {
      steps.add(
          new Step(
              Fault.REDIS_RESTORED,
              () -> "snapshot saved",
              () -> {
                snapshotTaken = true;
                store.saveSnapshot();
              }));
    } else if (snapshotTaken) {
      addFault(Fault.REDIS_RESTORED, "", steps, store::restoreSnapshot);
    }
    for (int i = 0; i < store.digestsRemembered(); i++) {
      int index = i;
      addFault(Fault.DIGEST_EVICTED, "no. " + i, steps, () -> store.evictDigest(index));
    }
    for (String id : store.deliveredRemembered()) {
      addFault(Fault.DELIVERED_RECORD_EVICTED, id, steps, () -> store.evictDelivered(id));
    }
    for (String id : store.pendingRemembered()) {
      addFault(Fault.PENDING_RECORD_EVICTED, id, steps, () -> store.evictPending(id));
    }
    for (int i = 0; i < delayed.size(); i++) {
      int index = i;
      steps.add(
          new Step(
              Fault.JUDGEMENT_DELAYED,
              () -> "the delayed judgement executes",
              () -> execute(delayed.remove(index))));
    }
  }

  private void addFault(Fault fault, String where, List<Step> steps, Runnable run) {
    if (budget.getOrDefault(fault, 0) > 0) {
      steps.add(
          new Step(
              fault,
              () -> "*** " + fault + " " + where,
              () -> {
                budget.merge(fault, -1, Integer::sum);
                // What a bridge only observes comes again with its batch, whoever delivered it
                // before.
                duplicatesLicensed |= observing || fault.licensesDuplicates;
                run.run();
              }));
    }
  }

  private void die(int index, boolean comesBack) {
    ExploredBridge bridge = bridges.get(index);
    if (bridge != null) {
      brokers.forEach(broker -> broker.loseChannel(bridge.name));
      bridges.set(index, null);
    }
    comingBack[index] = comesBack;
  }

  private boolean isAlive(String name) {
    return bridges.stream().anyMatch(bridge -> bridge != null && bridge.name.equals(name));
  }

  void delay(String bridge, Claim claim) {
    delayed.add(new Delayed(bridge, claim));
  }

  private void execute(Delayed judgement) {
    try {
      store.ledgerOf(judgement.bridge()).judge(judgement.claim());
    } catch (LedgerUnavailableException e) {
      throw new AssertionError(e);
    }
  }

  /** What is wrong when nothing more will happen by itself; null where nothing is. */
  @Nullable String verdict() {
    boolean held = bridges.stream().anyMatch(bridge -> bridge != null && bridge.holdsAnything());
    if (held || !brokers.stream().allMatch(FakeBroker::isEmpty)) {
      return "STALL";
    }
    for (char message : history.messages()) {
      int needed = 0;
      int most = 0;
      for (int k = 0; k < history.streams(); k++) {
        int published = history.published(k, message);
        most = observing ? most + published : Math.max(most, published);
        if (brokers.get(k).alive) {
          needed = observing ? needed + published : Math.max(needed, published);
        }
      }
      int arrived = sink.getOrDefault(message, 0);
      if (arrived < needed) {
        return "LOSS";
      }
      if (arrived > most && !duplicatesLicensed) {
        return "DUPLICATE";
      }
    }
    return null;
  }

  String fingerprint() {
    return brokers
        + store.fingerprint()
        + redisUp
        + bridges
        + sink
        + budget
        + delayed
        + Arrays.toString(comingBack)
        + snapshotTaken
        + duplicatesLicensed;
  }

  static synchronized MessageBatch batchOf(String messages) {
    return BATCHES.computeIfAbsent(messages, World::encode);
  }

  private static MessageBatch encode(String messages) {
    try (BatchEncoder encoder = new BatchEncoder(false, false)) {
      for (byte message : messages.getBytes(StandardCharsets.US_ASCII)) {
        encoder.add(new byte[] {message}, 0, 1);
      }
      return new BatchDecoder(BatchLimits.DEFAULT)
          .decode(encoder.encode().body(), ContentEncoding.IDENTITY);
    } catch (MalformedBatchException e) {
      throw new AssertionError(e);
    }
  }
}
