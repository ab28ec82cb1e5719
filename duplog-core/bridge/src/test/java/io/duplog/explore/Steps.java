package io.duplog.explore;

import static java.util.Objects.requireNonNull;
import static java.util.stream.IntStream.range;

import io.duplog.dedup.memory.ExplorableStore;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Lists every event that may happen next in a simulated world, so that the explorer can try each. A
 * step refers to bridges, brokers and servers by index, so that it can be taken in another world of
 * the same state.
 */
final class Steps {
  /** Faults that break channels, the only ones that affect an acknowledgement on its way. */
  private static final Set<Fault> BREAK_CHANNELS =
      EnumSet.of(Fault.BRIDGE_DIES, Fault.SINK_AWAY, Fault.HOST_LOST, Fault.CHANNEL_LOST);

  private final World world;
  private final List<Step> steps = new ArrayList<>();

  private Steps(World world) {
    this.world = world;
  }

  /**
   * Returns the steps. An acknowledgement that the broker will see whatever else happens is the
   * only one, because to take it first or last leads to the same ends.
   */
  static List<Step> of(World world) {
    Steps found = new Steps(world);
    if (BREAK_CHANNELS.stream().noneMatch(world::mayHave)) {
      range(0, World.BRIDGES).forEach(found::addAcknowledgements);
      if (!found.steps.isEmpty()) {
        return found.steps.subList(0, 1);
      }
    }
    range(0, World.BRIDGES).forEach(found::addStepsOf);
    if (world.isUpgradeDue()) {
      found.add(w -> "the old bridge is upgraded", World::upgrade);
    }
    found.addReturns();
    range(0, World.BRIDGES).forEach(found::addFaultsOf);
    if (world.redisUp) {
      found.addRedisFaults();
    }
    range(0, world.history.batches.size()).forEach(found::addRepetition);
    return found.steps;
  }

  private void add(Function<World, String> label, Consumer<World> action) {
    steps.add(new Step(null, label, action));
  }

  /** Adds a step that a bridge takes by itself. */
  private void add(int b, String what, Consumer<ExploredBridge> action) {
    add(w -> w.bridge(b).name + what, w -> action.accept(w.bridge(b)));
  }

  private void addFault(Fault fault, Function<World, String> where, Consumer<World> action) {
    if (world.mayHave(fault)) {
      steps.add(
          new Step(
              fault,
              w -> "*** " + fault + " " + where.apply(w),
              w -> {
                w.spend(fault);
                action.accept(w);
              }));
    }
  }

  private void addFault(Fault fault, Consumer<World> action) {
    addFault(fault, w -> "", action);
  }

  /** Adds a fault that strikes a bridge. */
  private void addFault(Fault fault, int b, Consumer<ExploredBridge> action) {
    addFault(fault, w -> w.bridge(b).name, w -> action.accept(w.bridge(b)));
  }

  private void addStepsOf(int b) {
    ExploredBridge bridge = world.bridges.get(b);
    if (bridge == null) {
      if (world.canComeBack(b)) {
        add(w -> "a bridge is started again", w -> w.comeBack(b));
      }
      return;
    }
    for (int k = 0; k < world.brokers.size(); k++) {
      if (world.reads(b, k) && world.brokers.get(k).hasReady()) {
        addReceive(b, k);
      }
    }
    addUnreadable(b, bridge.name);
    addAcknowledgements(b);
    range(0, bridge.pipeline.postponed().size())
        .forEach(i -> add(b, " judges again", acting -> acting.judgeAgain(i)));
    range(0, bridge.sinks.size()).forEach(sink -> addAcceptances(b, sink));
    add(b, " runs", acting -> acting.pipeline.settle());
    if (bridge.advancesAt != world.store()) {
      add(
          w -> w.bridge(b).name + " settles at the promoted replica",
          w -> w.bridge(b).advanceAt(w.store()));
    } else if (bridge.judgesAt != world.store()) {
      add(b, " judges at the promoted replica", ExploredBridge::judgeWhereItAdvances);
    }
    if (world.isReachable(bridge.name)) {
      addFault(
          Fault.ADVANCE_ANSWER_LOST,
          b,
          running -> {
            running.ledger.next = FaultyLedger.Next.ANSWER_LOST;
            running.pipeline.settle();
            running.ledger.next = FaultyLedger.Next.WORKS;
          });
    }
  }

  private void addAcceptances(int b, int sink) {
    range(0, world.bridge(b).atSink(sink).size())
        .forEach(
            i ->
                add(
                    w -> w.bridge(b).name + ": sink accepts " + w.bridge(b).deliveryAtSink(sink, i),
                    w -> w.accept(b, sink, i)));
  }

  /** Adds the steps of a bridge that can't read what it took. */
  private void addUnreadable(int b, String name) {
    for (int k = 0; k < world.brokers.size(); k++) {
      int stream = k;
      for (FakeBroker.Publication taken : world.brokers.get(k).channel(name).unacknowledged) {
        if (world.isUnreadable(b, taken)) {
          add(
              w -> where(w, b, stream) + ": gives back " + taken,
              w -> w.brokers.get(stream).takeBack(w.bridge(b).name, taken));
        }
      }
    }
  }

  private void addAcknowledgements(int b) {
    ExploredBridge bridge = world.bridges.get(b);
    for (int k = 0; bridge != null && k < world.brokers.size(); k++) {
      int stream = k;
      range(0, world.brokers.get(k).acknowledgements(bridge.name))
          .forEach(
              i ->
                  add(
                      w -> where(w, b, stream) + " is acknowledged",
                      w -> w.brokers.get(stream).takeAcknowledgement(w.bridge(b).name, i)));
    }
  }

  private static String where(World world, int bridge, int stream) {
    return world.bridge(bridge).name + " stream " + stream;
  }

  private void addReceive(int b, int stream) {
    add(
        w -> where(w, b, stream) + ": receives " + w.brokers.get(stream).peek(),
        w -> w.receive(b, stream));
    if (world.isReachable(world.bridge(b).name)) {
      addReceive(b, stream, Fault.JUDGEMENT_ANSWER_LOST, FaultyLedger.Next.ANSWER_LOST);
      addReceive(b, stream, Fault.JUDGEMENT_DELAYED, FaultyLedger.Next.DELAYED);
    }
  }

  private void addReceive(int b, int stream, Fault fault, FaultyLedger.Next next) {
    addFault(
        fault,
        w -> where(w, b, stream),
        w -> {
          w.bridge(b).ledger.next = next;
          w.receive(b, stream);
        });
  }

  /**
   * Adds the steps that follow faults: the lease of a bridge lapses that died or has turned to
   * another server, and Redis comes back.
   */
  private void addReturns() {
    for (int s = 0; s < world.stores.size() && world.redisUp; s++) {
      int server = s;
      ExplorableStore store = world.stores.get(s);
      for (String name : world.names()) {
        if (store.canLapse(name) && !world.renews(name, store)) {
          add(w -> "lease of " + name + " lapses", w -> w.stores.get(server).lapse(name));
        }
      }
    }
    if (!world.redisUp) {
      add(w -> "Redis is back", w -> w.redisUp = true);
    }
    if (world.cutOff != null) {
      add(w -> "Redis can be reached again", w -> w.cutOff = null);
    }
    ExplorableStore spare = world.spare;
    for (String name : world.names()) {
      if (spare != null && spare.hasLease(name) && !world.isAlive(name)) {
        add(
            w -> "lease of " + name + " lapses in the spare",
            w -> requireNonNull(w.spare).lapse(name));
      }
    }
  }

  private void addFaultsOf(int b) {
    ExploredBridge bridge = world.bridges.get(b);
    if (bridge == null) {
      return;
    }
    String name = bridge.name;
    if (bridge.holdsAnything()) {
      addFault(Fault.BRIDGE_DIES, w -> name, w -> w.die(b, true));
      addFault(Fault.SINK_STALLS, b, ExploredBridge::waitPastHoldLimit);
      addFault(
          Fault.SINK_AWAY,
          w -> name,
          w -> {
            w.bridge(b).withdraw();
            w.brokers.forEach(broker -> broker.loseChannel(name));
          });
    }
    if (world.isReachable(name)) {
      addFault(Fault.REDIS_CUT_OFF, w -> name, w -> w.cutOff = name);
    }
    if (world.redisUp && bridge.advancesAt.hasLease(name)) {
      addFault(Fault.BRIDGE_HANGS, w -> name, w -> w.bridge(b).advancesAt.lapse(name));
    }
    if (b < world.brokers.size() && world.brokers.get(b).alive) {
      addFault(Fault.HOST_LOST, w -> "host " + b, w -> w.loseHost(b));
    }
    for (int k = 0; k < world.brokers.size(); k++) {
      int stream = k;
      if (!world.brokers.get(k).channel(name).unacknowledged.isEmpty()) {
        addFault(Fault.CHANNEL_LOST, w -> where(w, b, stream), w -> w.loseChannel(b, stream));
      }
    }
  }

  private void addRepetition(int batch) {
    if (world.brokers.get(world.history.batches.get(batch).stream()).alive) {
      addFault(Fault.BATCH_REPEATED, w -> "X" + batch, w -> w.repeat(batch));
    }
  }

  private void addRedisFaults() {
    addFault(Fault.WINDOW_PASSES, w -> w.stores.forEach(ExplorableStore::passWindow));
    addFault(Fault.CLOCK_FORWARD, w -> w.store().leapForward());
    addFault(Fault.CLOCK_BACK, w -> w.store().leapBack());
    addFault(Fault.REDIS_FLUSHED, w -> w.store().restart());
    addFault(Fault.REDIS_AWAY, w -> w.redisUp = false);
    if (world.stores.size() == 1) {
      addFault(Fault.FAILED_OVER, World::addStore);
    }
    if (world.snapshotTaken) {
      addFault(Fault.REDIS_RESTORED, w -> w.store().restoreSnapshot());
    } else if (world.mayHave(Fault.REDIS_RESTORED)) {
      steps.add(new Step(Fault.REDIS_RESTORED, w -> "snapshot saved", World::saveSnapshot));
    }
    range(0, world.stores.size()).forEach(this::addEvictions);
    range(0, world.delayed.size())
        .forEach(
            i ->
                steps.add(
                    new Step(
                        Fault.JUDGEMENT_DELAYED,
                        w -> "the delayed judgement executes",
                        w -> w.execute(i))));
  }

  private void addEvictions(int server) {
    ExplorableStore store = world.stores.get(server);
    range(0, store.keysOfDigests())
        .forEach(
            key ->
                addFault(
                    Fault.DIGEST_EVICTED,
                    w -> "no. " + key,
                    w -> w.stores.get(server).evictKeyOfDigest(key)));
    if (store.keysOfDigests() > 0) {
      addFault(Fault.DIGEST_HASH_EVICTED, w -> w.stores.get(server).evictDigests());
    }
    for (String id : store.deliveredRemembered()) {
      addFault(
          Fault.DELIVERED_RECORD_EVICTED, w -> id, w -> w.stores.get(server).evictDelivered(id));
    }
    if (!store.deliveredRemembered().isEmpty()) {
      addFault(Fault.DELIVERED_HASH_EVICTED, w -> w.stores.get(server).evictDelivered());
    }
    for (String id : store.pendingRemembered()) {
      addFault(Fault.PENDING_RECORD_EVICTED, w -> id, w -> w.stores.get(server).evictPending(id));
    }
  }
}
