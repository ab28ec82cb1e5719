package io.duplog.explore;

import io.duplog.dedup.Claim;
import io.duplog.dedup.ExplorableStore;
import io.duplog.settle.Holding;
import io.duplog.settle.Origin;
import io.duplog.settle.Settler;
import io.duplog.settle.SettlerProbe;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A bridge of production classes, whose threads are steps that the explorer takes. */
final class ExploredBridge implements Settler.Surroundings {
  /** Copies at the sink that it has not accepted. */
  record AtSink(Holding holding, BitSet copies) {}

  final String name;
  final FaultyLedger ledger;
  final Settler settler;
  final List<Holding> parked = new ArrayList<>();
  final List<AtSink> atSink = new ArrayList<>();
  private long nanos;

  ExploredBridge(String name, World world) {
    this.name = name;
    this.ledger =
        new FaultyLedger(
            world.store.ledgerOf(name), () -> world.redisUp, claim -> world.delay(name, claim));
    this.settler =
        new Settler(
            ledger,
            this,
            Duration.ZERO,
            Duration.ofHours(1),
            Duration.ZERO,
            world.observing,
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
        new Holding(
            World.batchOf(batch.messages()),
            claim,
            new Origin() {
              @Override
              public boolean isLost() {
                return channel.lost;
              }

              @Override
              public void settle(int dropped, int repeated) {
                channel.acknowledgements.add(publication);
              }

              @Override
              public void forget(int givenBack) {}

              @Override
              public String toString() {
                return publication.toString();
              }
            },
            true,
            0));
  }

  @Override
  public void deliver(Holding holding, BitSet copies) {
    atSink.add(new AtSink(holding, copies));
  }

  @Override
  public void judgeLater(Holding holding) {
    parked.add(holding);
  }

  void judgeAgain(int index) {
    settler.judge(parked.remove(index));
  }

  /** The sink accepts; returns the messages that it has now. */
  String accept(int index) {
    AtSink accepted = atSink.remove(index);
    StringBuilder messages = new StringBuilder();
    MessageBatch batch = accepted.holding().batch();
    accepted.copies().stream().forEach(i -> messages.append((char) batch.data()[batch.start(i)]));
    settler.delivered(accepted.holding());
    return messages.toString();
  }

  /** The sink is away for too long: gives up what it has; the channels are lost with that. */
  void withdraw() {
    atSink.forEach(parcel -> settler.withdrawn(parcel.holding()));
    atSink.clear();
  }

  /** Time passes at this bridge, more than the hold limit. */
  void waitPastHoldLimit() {
    nanos += Duration.ofHours(2).toNanos();
  }

  boolean holdsAnything() {
    return settler.held() > 0 || !parked.isEmpty();
  }

  @Override
  public String toString() {
    return name
        + nanos
        + SettlerProbe.fingerprint(settler)
        + parked.stream().map(Object::toString).sorted().toList()
        + atSink.stream().map(Object::toString).sorted().toList();
  }
}
