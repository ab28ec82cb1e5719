package io.duplog.simulate;

import static java.util.stream.Collectors.joining;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.memory.SteppedStore;
import io.duplog.observe.StreamCounters;
import io.duplog.receive.QueueSettings;
import io.duplog.simulate.Scenario.Occurrence;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Holds the simulated servers, bridges and messages of one run, and causes its faults. */
final class World {
  private static final long WALL_MILLIS = 1_700_000_000_000L;
  private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long ISOLATION = TimeUnit.MINUTES.toNanos(1);
  private static final long SPARE = TimeUnit.SECONDS.toNanos(20);
  private static final long CALM = TimeUnit.SECONDS.toNanos(2);

  final Random random;
  private final Consumer<String> trace;
  private final @Nullable Defect defect;
  final Scenario scenario;
  final Timeline timeline = new Timeline();
  final long beginning = timeline.nanos();
  private final Map<String, SimulatedBroker> brokers = new LinkedHashMap<>();

  /** Whether each bridge has a second required sink. */
  final boolean hasSecondSink;

  /** Random numbers of the second sink, apart so that the other worlds stay as they were. */
  final Random sinkRandom;

  private final Map<String, SimulatedCollector> collectors = new LinkedHashMap<>();
  private final SteppedStore redis;
  private final SimulatedBridge[] bridges;
  private final boolean[] gone;
  private final Map<Fault, Integer> active = new EnumMap<>(Fault.class);
  final Map<String, String> findings = new TreeMap<>();

  /** Bridges that were there to the end. */
  List<SimulatedBridge> survivors = List.of();

  private final Shims shims;
  final Arrivals arrivals;
  private long redisOffset;
  private int lives;
  private long calmSince = Long.MAX_VALUE;
  private boolean over;

  /**
   * @param trace gets a line for each event
   * @param defect defect that is put back; null for none
   */
  World(long seed, Consumer<String> trace, @Nullable Defect defect) {
    this.defect = defect;
    this.random = Simulation.random(seed);
    this.trace = trace;
    this.hasSecondSink = seed % 3 == 0;
    this.sinkRandom = new Random(seed);
    this.scenario = new Scenario(random);
    this.shims = new Shims(this);
    this.arrivals = new Arrivals(this);
    brokers.put("a", new SimulatedBroker(this, "a"));
    brokers.put("b", new SimulatedBroker(this, "b"));
    if (scenario.names == Scenario.Names.SHARED_PREFIX) {
      for (String host : List.of("a", "b")) {
        String other = SimulatedBroker.FOREIGN + host;
        brokers.put(other, new SimulatedBroker(this, other));
      }
    }
    for (int i = 0; i < scenario.urls; i++) {
      String url = "http://splunk-" + i;
      collectors.put(url, new SimulatedCollector(this));
    }
    this.redis =
        new SteppedStore(
            Duration.ofMinutes(2),
            () -> timeline.nanos() + redisOffset,
            has(Defect.CLOCK_IS_TRUSTED));
    this.bridges = new SimulatedBridge[scenario.bridges];
    this.gone = new boolean[scenario.bridges];
    for (int i = 0; i < bridges.length; i++) {
      bridges[i] = new SimulatedBridge(this, i, lives++);
    }
    for (Scenario.Sending sending : scenario.sendings) {
      timeline.after(sending.atNanos(), () -> shims.send(sending));
    }
    for (Occurrence occurrence : scenario.occurrences) {
      timeline.after(occurrence.atNanos(), () -> begin(occurrence));
    }
    timeline.after(scenario.lastNanos(), this::look);
  }

  /** Runs the world to its end. */
  void run() {
    for (int i = 0; i < bridges.length; i++) {
      note(scenario.yaml(i));
    }
    timeline.run(() -> over);
    survivors = living().toList();
    for (SimulatedBridge bridge : bridges) {
      note(bridge, bridge.counters().summary());
      bridge.die();
    }
    shims.close();
  }

  long wallMillis() {
    return WALL_MILLIS + TimeUnit.NANOSECONDS.toMillis(timeline.nanos());
  }

  /** Returns the nanoseconds of one way over the network, at random. */
  long latency() {
    return 100_000L + random.nextInt(2_000_000);
  }

  boolean has(Defect which) {
    return defect == which;
  }

  boolean is(Fault fault) {
    return active.getOrDefault(fault, 0) > 0;
  }

  /** Whether a sudden fault is due; if so, it counts as having happened. */
  boolean takes(Fault fault) {
    boolean due = is(fault);
    if (due) {
      active.merge(fault, -1, Integer::sum);
    }
    return due;
  }

  boolean losesConfirm() {
    return is(Fault.CONFIRM_LOST) && random.nextBoolean();
  }

  /** Reports an event to the trace. */
  void note(Object... words) {
    if (trace != Simulation.SILENT) {
      trace.accept("%10.4f %s".formatted(seconds(timeline.nanos()), line(words)));
    }
  }

  /** Notes that something is wrong; the first finding of each kind counts. */
  void finding(Finding kind, Object... words) {
    String line = line(words);
    note("finds", kind, line);
    findings.putIfAbsent(kind.name(), line);
  }

  private static String line(Object... words) {
    return Stream.of(words).map(String::valueOf).collect(joining(" "));
  }

  /** Returns the seconds from the beginning of the run to a time. */
  double seconds(long nanos) {
    return (nanos - beginning) / 1e9;
  }

  // What bridges connect to.

  Connection connect(QueueSettings settings, SimulatedBridge client)
      throws IOException, TimeoutException {
    return brokerOf(settings).connect(client, settings.stream());
  }

  /** Returns the broker that an address leads to. */
  SimulatedBroker brokerOf(QueueSettings settings) {
    String named = settings.login().host();
    return broker(named.startsWith("alias-of-") ? "a" : named);
  }

  SimulatedBroker broker(String host) {
    return brokers.get(host);
  }

  void disconnect(SimulatedBridge client) {
    brokers.values().forEach(broker -> broker.breakLinksOf(client));
  }

  SimulatedCollector collector(String url) {
    return collectors.get(url);
  }

  Ledger ledgerOf(String bridge) {
    return redis.open(bridge, List.of("a", "b"), scenario.lease);
  }

  // Faults.

  private void begin(Occurrence occurrence) {
    Fault fault = occurrence.fault();
    note(fault, "begins at", occurrence.target(), "for", occurrence.durationNanos() / 1e9);
    active.merge(fault, 1, Integer::sum);
    strike(occurrence, true);
    if (!fault.isSudden()) {
      timeline.after(
          occurrence.durationNanos(),
          () -> {
            note(fault, "ends");
            active.merge(fault, -1, Integer::sum);
            strike(occurrence, false);
          });
    }
  }

  private void strike(Occurrence occurrence, boolean begins) {
    SimulatedBroker broker = broker(occurrence.target() == 0 ? "a" : "b");
    SimulatedBridge bridge = bridges[occurrence.target() % bridges.length];
    Fault fault = occurrence.fault();
    if (fault.concernsCollector()) {
      collectors
          .get("http://splunk-" + occurrence.target() % scenario.urls)
          .be(begins ? fault : null);
      return;
    }
    switch (fault) {
      case BROKER_RESETS -> broker.resetLinks();
      case BROKER_VANISHES -> broker.vanish(begins);
      case BROKER_SILENT -> broker.beSilent(begins);
      case BROKER_BLOCKED -> broker.blocked = begins;
      case DEAD_LETTERS_FULL -> {
        int most = begins ? scenario.mostDeadLetters : Integer.MAX_VALUE;
        brokers.values().forEach(each -> each.mostDeadLetters = most);
      }
      case HOST_BURNS -> {
        broker.burn();
        gone[bridge.place] = true;
        bridge.die();
      }
      case REDIS_RESTARTS -> redis.forgetAll();
      case REDIS_EVICTS -> redis.forgetDigests();
      case REDIS_CLOCK_BACK -> redisOffset -= jump();
      case REDIS_CLOCK_FORWARD -> redisOffset += jump();
      case BRIDGE_DIES -> {
        if (begins) {
          restart(bridge, occurrence.durationNanos());
        }
      }
      case BRIDGE_HANGS -> {
        if (begins) {
          hang(bridge, occurrence.durationNanos());
        }
      }
      default -> {} // found by those that ask whether it is active
    }
  }

  private long jump() {
    return random.nextBoolean()
        ? TimeUnit.MINUTES.toNanos(1 + random.nextInt(60))
        : TimeUnit.SECONDS.toNanos(1 + random.nextInt(30));
  }

  private void hang(SimulatedBridge bridge, long nanos) {
    bridge.freeze(nanos);
    long noticed = TimeUnit.SECONDS.toNanos(10);
    if (nanos > noticed) {
      timeline.after(noticed, () -> disconnect(bridge));
    }
  }

  /** Ends a process, and starts another one in its place later. */
  void restart(SimulatedBridge bridge, long afterNanos) {
    if (bridge.dead) {
      return;
    }
    bridge.die();
    int place = bridge.place;
    timeline.after(
        afterNanos,
        () -> {
          if (!gone[place]) {
            bridges[place] = new SimulatedBridge(this, place, lives++);
          }
        });
  }

  // The end of a run.

  private Stream<SimulatedBridge> living() {
    return Stream.of(bridges).filter(bridge -> !bridge.dead);
  }

  Set<String> burned() {
    Set<String> burned = new LinkedHashSet<>();
    brokers.values().stream()
        .filter(broker -> broker.burned)
        .forEach(broker -> burned.add(broker.host));
    return burned;
  }

  void forEachLetter(BiConsumer<AMQP.BasicProperties, byte[]> action) {
    brokers.values().stream()
        .filter(broker -> !broker.isForeign())
        .forEach(broker -> broker.forEachLetter(action));
  }

  boolean isDrained() {
    return shims.areIdle()
        && brokers.values().stream().allMatch(SimulatedBroker::isDrained)
        && living().allMatch(bridge -> bridge.counters().sum(StreamCounters::inFlight) == 0);
  }

  private boolean isLate(long now) {
    return now - beginning > scenario.lastNanos() + scenario.recoveryNanos() + ISOLATION;
  }

  private void look() {
    long now = timeline.nanos();
    boolean drained = isDrained();
    if (!drained && shims.areIdle() && !isLate(now) && scenario.hasPoison()) {
      // A poison is given up only if other events pass beside it.
      shims.send(scenario.company(), 0, 0);
    }
    if (!drained) {
      calmSince = Long.MAX_VALUE;
    } else if (calmSince == Long.MAX_VALUE) {
      calmSince = now;
    }
    boolean calm = calmSince != Long.MAX_VALUE && now - calmSince >= CALM;
    over = calm || isLate(now - SPARE);
    timeline.after(LOOK, this::look);
  }
}
