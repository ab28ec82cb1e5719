package io.duplog.explore;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.memory.ExplorableStore;
import io.duplog.pipeline.InFlightBatch;
import io.duplog.pipeline.Origin;
import io.duplog.pipeline.Settler;
import io.duplog.pipeline.SettlerProbe;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bridge of production classes, whose threads are steps that the explorer takes. */
final class ExploredBridge implements Settler.Surroundings {
  /** Copies at the sink that it has not accepted. */
  record AtSink(InFlightBatch inFlight, BitSet copies) {}

  final String name;
  final FaultyLedger ledger;
  final Settler settler;

  /** Where it judges, and where it settles: not the same while it follows a failover. */
  ExplorableStore judgesAt;

  ExplorableStore advancesAt;

  /** Of its own; null where it has none. */
  private final @Nullable ExplorableStore memory;

  // What an index means in these follows from their texts: the same in every world of a state.
  private final List<InFlightBatch> parked = new ArrayList<>();
  private final List<AtSink> atSink = new ArrayList<>();

  private final boolean parted;
  private final boolean misnaming;
  private long nanos;

  /**
   * @param place among the bridges, from 0
   */
  ExploredBridge(String name, int place, World world) {
    this.name = name;
    this.misnaming = world.setting == Setting.MISNAMED && place == 1;
    this.judgesAt = world.store();
    this.advancesAt = judgesAt;
    this.memory = world.newMemory();
    this.ledger =
        new FaultyLedger(
            judgesAt.ledgerOf(name),
            () -> world.isReachable(name),
            claim -> world.delay(this, claim));
    this.parted = world.setting == Setting.PARTS;
    List<Ledger> parts = new ArrayList<>(List.of(ledger));
    List<Ledger> fallbacks = new ArrayList<>();
    if (memory != null) {
      fallbacks.add(memory.ledgerOf("self"));
    } else if (world.spare != null) {
      (parted ? parts : fallbacks).add(world.spare.ledgerOf(name));
    }
    this.settler =
        new Settler(
            parts,
            fallbacks,
            this,
            Duration.ZERO,
            Duration.ofHours(1),
            Duration.ZERO,
            world.setting == Setting.OBSERVING,
            () -> nanos);
    settler.runOnce();
  }

  /** Takes a delivery and judges it. */
  void receive(FakeBroker broker, History.Batch batch) {
    FakeBroker.Channel channel = broker.channel(name);
    FakeBroker.Publication publication = broker.deliverTo(name);
    Claim claim =
        new Claim(
            "X" + publication.batch(), batch.stream(), ExplorableStore.digestsOf(batch.messages()));
    settler.judge(
        new InFlightBatch(
            World.batchOf(batch.messages()),
            claim,
            new Origin() {
              @Override
              public boolean isLost() {
                return channel.lost;
              }

              @Override
              public void settle(int dropped, int repeated) {
                channel.acknowledge(publication);
              }

              @Override
              public void forget(int givenBack) {}
            },
            !misnaming,
            0,
            parted ? batch.part() : 0));
  }

  @Override
  public void deliver(InFlightBatch inFlight, BitSet copies) {
    atSink.add(new AtSink(inFlight, copies));
  }

  @Override
  public void judgeLater(InFlightBatch inFlight) {
    parked.add(inFlight);
  }

  private static <T> List<T> inOrder(List<T> list) {
    if (list.size() > 1) {
      list.sort(comparing(Object::toString));
    }
    return list;
  }

  int parked() {
    return parked.size();
  }

  void judgeAgain(int index) {
    settler.judge(inOrder(parked).remove(index));
  }

  int deliveriesAtSink() {
    return atSink.size();
  }

  String deliveryAtSink(int index) {
    return inOrder(atSink).get(index).toString();
  }

  /** The sink accepts; returns the messages that it has now. */
  String accept(int index) {
    AtSink accepted = inOrder(atSink).remove(index);
    StringBuilder messages = new StringBuilder();
    MessageBatch batch = accepted.inFlight().batch();
    accepted.copies().stream().forEach(i -> messages.append((char) batch.data()[batch.start(i)]));
    settler.delivered(accepted.inFlight());
    return messages.toString();
  }

  /** The sink is away for too long: gives up what it has; the channels are lost with that. */
  void withdraw() {
    inOrder(atSink).forEach(delivery -> settler.withdrawn(delivery.inFlight()));
    atSink.clear();
  }

  /** Time passes at this bridge, more than the hold limit. */
  void waitPastHoldLimit() {
    nanos += Duration.ofHours(2).toNanos();
  }

  /** After a failover: settles at the promoted replica, whose epoch tells it what happened. */
  void advanceAt(ExplorableStore promoted) {
    advancesAt = promoted;
    ledger.advanceAt(promoted.ledgerOf(name));
  }

  /** And judges there. */
  void judgeWhereItAdvances() {
    judgesAt = advancesAt;
    ledger.judgeWhereItAdvances();
  }

  boolean holdsAnything() {
    return settler.held() > 0 || !parked.isEmpty();
  }

  /** Everything but its name and its ledger. */
  String text() {
    return nanos
        + SettlerProbe.fingerprint(settler)
        + sorted(parked)
        + sorted(atSink)
        + (memory == null ? "" : memory.fingerprint());
  }

  private static String sorted(Collection<?> elements) {
    return elements.stream().map(Object::toString).sorted().collect(joining(",", "[", "]"));
  }
}
