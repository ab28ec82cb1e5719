package io.duplog.simulate;

import com.rabbitmq.client.Connection;
import io.duplog.bridge.SteppedBridge;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.hec.SteppedSink;
import io.duplog.observe.Conditions;
import io.duplog.observe.Counters;
import io.duplog.receive.Connector;
import io.duplog.receive.QueueConsumer;
import io.duplog.receive.QueueSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Runs a bridge's production code as one simulated process, with steps in place of its threads. */
final class SimulatedBridge {
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(40);

  final World world;
  private final String name;
  final int place;
  private final SteppedBridge bridge;
  private final List<Actor> workers = new ArrayList<>();
  private final List<Actor> senders = new ArrayList<>();
  private final Actor settling;
  boolean dead;
  private long frozenUntil;

  /**
   * @param place index of the bridge, from 0
   * @param life number of this process among those of all bridges
   */
  SimulatedBridge(World world, int place, int life) {
    this.world = world;
    this.place = place;
    this.name = "bridge-" + place + "#" + life;
    String yaml = world.scenario.yaml(place);
    Conditions board = new Conditions(world.timeline::nanos, world::wallMillis);
    SteppedSink sink =
        new SteppedSink(
            SteppedBridge.hec(yaml),
            url -> (path, body, channel) -> world.collector(url).ask(this, path, body, channel),
            board,
            world.random);
    this.bridge =
        new SteppedBridge(
            yaml,
            new SimulatedLedger(world.ledgerOf(name), this),
            sinks(new Waking(sink.sink())),
            new QueueConsumer.Environment(connector(), board, world.random));
    this.settling = new Actor(this, "settle", this::settle);
    for (int i = 0; i < 2; i++) {
      workers.add(new Actor(this, "judge-" + i, this::work));
    }
    for (LongSupplier sender : sink.senders()) {
      senders.add(new Actor(this, "hec-" + senders.size(), () -> send(sender)));
    }
    for (Runnable consumer : bridge.consumers()) {
      new Actor(this, "consume", () -> stepped(consumer)).wake();
    }
    new Actor(this, "dead-letters", this::putAway).wake();
    settling.wake();
    senders.forEach(Actor::wake);
  }

  /** Returns the sinks of the bridge: the collectors, and in some worlds a second sink. */
  private Sinks sinks(Sink hec) {
    if (!world.hasSecondSink) {
      return Sinks.of("hec", hec);
    }
    Sink second = new SecondSink(this, world.sinkRandom);
    if (world.has(Defect.FIRST_SINK_DECIDES)) {
      return Sinks.of("hec", new Deciding(hec, second));
    }
    return new Sinks(
        List.of(
            new Sinks.Member("first", "hec", "sink first", true, hec, null),
            new Sinks.Member("second", "file", "sink second", true, second, null)));
  }

  private Connector connector() {
    return new Connector() {
      @Override
      public Connection connect(QueueSettings settings, String purpose)
          throws IOException, TimeoutException {
        return world.connect(settings, SimulatedBridge.this);
      }

      @Override
      public String identify(QueueSettings settings, Connection connection) {
        return world.brokerOf(settings).host;
      }
    };
  }

  private long stepped(Runnable thread) {
    thread.run();
    return TICK + world.random.nextInt((int) TICK);
  }

  private long putAway() {
    long pause = stepped(bridge::putAway);
    return world.has(Defect.DEAD_LETTERS_ARE_LEFT_LYING) ? TimeUnit.MINUTES.toNanos(1) : pause;
  }

  private long work() {
    boolean busy = bridge.work();
    if (busy) {
      settling.wake();
    }
    return busy ? 0 : Actor.NEVER;
  }

  private long settle() {
    long pause = bridge.settle();
    wake();
    return pause;
  }

  private long send(LongSupplier sender) {
    long pause = sender.getAsLong();
    if (pause == 0) {
      settling.wake();
      wakeLanes();
    }
    return pause;
  }

  /** Returns how many nanoseconds late the system lets a thread run. */
  long jitter() {
    return 10_000L + world.random.nextInt(200_000);
  }

  /** Stops all threads of the process for a while, as SIGSTOP does; its connections stay open. */
  void freeze(long nanos) {
    frozenUntil = world.timeline.nanos() + nanos;
  }

  long frozenNanos() {
    return frozenUntil - world.timeline.nanos();
  }

  /** Waits on behalf of one of the process's threads. */
  void sleep(long nanos) {
    world.timeline.sleep(nanos);
    while (!dead && frozenNanos() > 0) {
      world.timeline.sleep(frozenNanos());
    }
    if (dead) {
      throw new Timeline.Killed();
    }
  }

  /** Called when something came that the workers may wait for. */
  void wake() {
    workers.forEach(Actor::wake);
  }

  void wakeSettling() {
    settling.wake();
  }

  void wakeLanes() {
    senders.forEach(Actor::wake);
  }

  Counters counters() {
    return bridge.counters();
  }

  /** Ends the process, perhaps in the middle of a step. */
  void die() {
    if (!dead) {
      dead = true;
      world.disconnect(this);
      bridge.forget();
    }
  }

  /** Called when one of the threads ended by an exception that production does not expect. */
  void defect(String thread, Throwable cause) {
    StackTraceElement where = cause.getStackTrace().length > 0 ? cause.getStackTrace()[0] : null;
    world.finding(Finding.ENDED, name, "ends, since", thread, "fails:", cause, "at", where);
    world.restart(this, TimeUnit.SECONDS.toNanos(5));
  }

  @Override
  public String toString() {
    return name;
  }

  /** The defect that a batch is settled when the first of two sinks has accepted it. */
  private record Deciding(Sink first, Sink second) implements Sink {
    @Override
    public void deliver(DeliveryRequest delivery) {
      first.deliver(delivery);
      second.deliver(delivery.with(new Ignoring()));
    }

    @Override
    public boolean isAvailable() {
      return first.isAvailable();
    }

    @Override
    public void withdraw() {
      first.withdraw();
      second.withdraw();
    }

    @Override
    public void close() throws IOException {
      first.close();
    }
  }

  private static final class Ignoring implements DeliveryRequest.Callback {
    @Override
    public void accepted() {}

    @Override
    public void withdrawn() {}

    @Override
    public void refused(int message, @Nullable String sink, String reason, Runnable kept) {}
  }

  /** Sink that wakes the senders, because they wait for deliveries. */
  private final class Waking implements Sink {
    private final Sink sink;

    Waking(Sink sink) {
      this.sink = sink;
    }

    @Override
    public void deliver(DeliveryRequest delivery) {
      sink.deliver(delivery);
      wakeLanes();
    }

    @Override
    public boolean isAvailable() {
      return sink.isAvailable();
    }

    @Override
    public void withdraw() {
      sink.withdraw();
      wakeLanes();
    }

    @Override
    public void close() throws IOException {
      sink.close();
    }
  }
}
