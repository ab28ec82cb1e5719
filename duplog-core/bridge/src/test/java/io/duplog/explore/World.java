package io.duplog.explore;

import com.google.common.hash.HashCode;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.duplog.dedup.Claim;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.memory.ExplorableStore;
import io.duplog.dedup.memory.ExplorableStore.BrokenClause;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Simulates two bridges with their brokers, sink and Redis, while the explorer chooses each next
 * event. A world can take a step, and describe its state.
 */
final class World {
  static final int BRIDGES = 2;

  private static final HashFunction HASH = Hashing.murmur3_128();

  /** Index of the bridge that is old in the setting of that name. */
  private static final int OLD_BRIDGE = 1;

  /**
   * The properties that distinguish worlds with different futures.
   *
   * @param swapped whether the bridges had to change places for this state
   */
  record State(HashCode hash, boolean swapped) {}

  /** A judgement that its bridge has given up, and that the server will execute later. */
  record Delayed(ExplorableStore store, String bridge, Claim claim) {}

  final Setting setting;
  final History history;
  private final Map<Fault, Integer> budget = new EnumMap<>(Fault.class);
  final List<FakeBroker> brokers = new ArrayList<>();
  final List<@Nullable ExploredBridge> bridges = new ArrayList<>();

  /**
   * Servers of Redis: the present one last, and before it, after a failover, the deposed one while
   * bridges still ask it.
   */
  final List<ExplorableStore> stores = new ArrayList<>();

  /**
   * Store that bridges share while Redis is unavailable, or for the second part; null if there is
   * none.
   */
  final @Nullable ExplorableStore spare;

  boolean redisUp = true;

  /** Name of the bridge that alone can't reach Redis; null if there is none. */
  @Nullable String cutOff;

  boolean snapshotTaken;
  private final boolean observing;
  private final Set<BrokenClause> broken;
  final List<Delayed> delayed = new ArrayList<>();

  /** Number of deployments. Each deployment has a broker for each stream, and a sink of its own. */
  private final int deployments;

  private final List<Map<Character, Integer>> sinks = new ArrayList<>();

  /**
   * Whether each bridge has died and is started again later. To keep the exploration small, this
   * happens only when no bridge of the deployment is left. Another bridge does the same as a new
   * one.
   */
  private final boolean[] comingBack = new boolean[BRIDGES];

  private int incarnations;
  private int tokens;
  private boolean duplicatesLicensed;
  private boolean hasOldBridge;

  /** Whether a host was lost after the brokers had let go of more than the sink had. */
  private boolean settledEarly;

  /**
   * Messages that come again with a batch that the broker delivers again, if drops are observed.
   */
  private final Map<Character, Integer> expectedAgain = new TreeMap<>();

  /** Whether bridges may change places, because no host can be lost and no names are wrong. */
  private final boolean interchangeable;

  /**
   * @param faults faults that may happen, each of them once
   */
  World(Setting setting, History history, List<Fault> faults, Set<BrokenClause> broken) {
    this.setting = setting;
    this.observing = setting == Setting.OBSERVING;
    this.history = history;
    this.broken = broken;
    faults.forEach(fault -> budget.merge(fault, 1, Integer::sum));
    this.interchangeable =
        !faults.contains(Fault.HOST_LOST)
            && setting != Setting.MISNAMED
            && setting != Setting.SHARED_PREFIX
            && setting != Setting.OLD_BRIDGE;
    this.hasOldBridge = setting == Setting.OLD_BRIDGE;
    this.deployments = setting == Setting.SHARED_PREFIX ? 2 : 1;
    this.duplicatesLicensed = setting == Setting.MISNAMED || deployments > 1;
    this.spare =
        setting == Setting.SPARE || setting == Setting.PARTS
            ? new ExplorableStore(history.streams, broken, () -> "spare")
            : null;
    addStore();
    for (int i = 0; i < history.streams * deployments; i++) {
      brokers.add(new FakeBroker(i % history.streams, i / history.streams));
    }
    for (int i = 0; i < history.batches.size(); i++) {
      int stream = history.batches.get(i).stream();
      for (int k = stream; k < brokers.size(); k += history.streams) {
        brokers.get(k).publish(i, 0);
      }
    }
    for (int i = 0; i < deployments * sinksOfABridge(); i++) {
      sinks.add(new TreeMap<>());
    }
    for (int i = 0; i < BRIDGES; i++) {
      bridges.add(new ExploredBridge(nameOf(incarnations++), i, this));
    }
  }

  /** Adds the first server, or a promoted replica. */
  void addStore() {
    boolean sameEpoch = broken.contains(BrokenClause.REPLICA_KEEPS_EPOCH);
    stores.add(
        new ExplorableStore(history.streams, broken, () -> "e" + (sameEpoch ? tokens : tokens++)));
  }

  /** Returns a store for a bridge's own memory; null if bridges have none. */
  @Nullable ExplorableStore newMemory() {
    return setting == Setting.LOCAL
        ? new ExplorableStore(history.streams, Set.of(), () -> "own")
        : null;
  }

  /** Returns the brokers that a bridge reads, in the order of the streams. */
  Stream<FakeBroker> brokersOf(int bridge) {
    return IntStream.range(0, brokers.size())
        .filter(broker -> reads(bridge, broker))
        .mapToObj(brokers::get);
  }

  /** Whether a broker belongs to a bridge's deployment. */
  boolean reads(int bridge, int broker) {
    return bridge % deployments == broker / history.streams;
  }

  boolean isReachable(String bridge) {
    return redisUp && !bridge.equals(cutOff);
  }

  /** Returns the present server, which all bridges ask once they have noticed a failover. */
  ExplorableStore store() {
    return stores.get(stores.size() - 1);
  }

  private static String nameOf(int incarnation) {
    return "br" + incarnation;
  }

  /** Returns all names that bridges have had so far. */
  List<String> names() {
    return new ArrayList<>(IntStream.range(0, incarnations).mapToObj(World::nameOf).toList());
  }

  ExploredBridge bridge(int index) {
    return Objects.requireNonNull(bridges.get(index));
  }

  void take(Step step) {
    step.action().accept(this);
    if (stores.size() > 1
        && living().allMatch(b -> b.judgesAt == store() && b.advancesAt == store())) {
      stores.remove(0); // no bridge asks the deposed server any more
    }
  }

  private Stream<ExploredBridge> living() {
    return bridges.stream().flatMap(Stream::ofNullable);
  }

  // The actions of steps that concern more than one bridge, broker or store.

  boolean mayHave(Fault fault) {
    return budget.getOrDefault(fault, 0) > 0;
  }

  void spend(Fault fault) {
    budget.merge(fault, -1, Integer::sum);
    duplicatesLicensed |= fault.licensesDuplicates;
  }

  void receive(int bridge, int broker) {
    FakeBroker from = brokers.get(broker);
    if (isUnreadable(bridge, from.peek())) {
      from.deliverTo(bridge(bridge).name);
      return;
    }
    bridge(bridge).receive(from, history.batches.get(from.peek().batch()));
  }

  /** Whether a batch has a newer version than a bridge knows. */
  boolean isUnreadable(int bridge, FakeBroker.Publication publication) {
    return hasOldBridge && bridge == OLD_BRIDGE && publication.batch() == 0;
  }

  /** Whether the old bridge may be upgraded, which settles what it holds first. */
  boolean isUpgradeDue() {
    ExploredBridge old = bridges.get(OLD_BRIDGE);
    return hasOldBridge && old != null && !old.holdsAnything();
  }

  void upgrade() {
    die(OLD_BRIDGE, false);
    comeBack(OLD_BRIDGE);
    hasOldBridge = false;
  }

  void accept(int bridge, int sink, int index) {
    int place = bridge % deployments * sinksOfABridge() + sink;
    count(bridge(bridge).accept(sink, index), sinks.get(place));
  }

  int sinksOfABridge() {
    return setting == Setting.TWO_SINKS || setting == Setting.FIRST_SINK_DECIDES ? 2 : 1;
  }

  /**
   * Counts messages that a rule has dropped as if the sink had them. Like delivered messages, they
   * are due and need nothing more.
   */
  void filter(int bridge, String messages) {
    count(messages, sinks.get(bridge % deployments));
  }

  private static void count(String messages, Map<Character, Integer> counts) {
    messages.chars().forEach(message -> counts.merge((char) message, 1, Integer::sum));
  }

  void die(int index, boolean comesBack) {
    ExploredBridge bridge = bridges.get(index);
    if (bridge != null) {
      brokers.forEach(broker -> broker.loseChannel(bridge.name));
      bridges.set(index, null);
    }
    comingBack[index] = comesBack;
  }

  boolean canComeBack(int index) {
    return comingBack[index] && (deployments > 1 || living().findAny().isEmpty());
  }

  void comeBack(int index) {
    comingBack[index] = false;
    bridges.set(index, new ExploredBridge(nameOf(incarnations++), index, this));
  }

  boolean isAlive(String name) {
    return living().anyMatch(bridge -> bridge.name.equals(name));
  }

  /** Whether a bridge renews its lease at this server. */
  boolean renews(String name, ExplorableStore store) {
    return living().anyMatch(bridge -> bridge.name.equals(name) && bridge.advancesAt == store);
  }

  void loseHost(int index) {
    for (char message : history.messages) {
      int settled = due(message, batch -> brokerOf(batch).alive && !brokerOf(batch).holds(batch));
      settledEarly |= settled > arrived(message);
    }
    die(index, false);
    brokers.get(index).burn();
  }

  void loseChannel(int bridge, int broker) {
    FakeBroker.Channel channel = brokers.get(broker).channel(bridge(bridge).name);
    channel.unacknowledged.forEach(publication -> expectAgain(publication.batch()));
    brokers.get(broker).loseChannel(bridge(bridge).name);
  }

  void repeat(int batch) {
    expectAgain(batch);
    brokers.get(history.batches.get(batch).stream()).publish(batch, 1);
  }

  /**
   * Expects the messages of a batch again if drops are only observed, because then each delivery of
   * a batch delivers all of its messages.
   */
  private void expectAgain(int batch) {
    if (observing) {
      count(history.batches.get(batch).messages(), expectedAgain);
    }
  }

  void saveSnapshot() {
    snapshotTaken = true;
    store().saveSnapshot();
  }

  void delay(ExploredBridge bridge, Claim claim) {
    delayed.add(new Delayed(bridge.judgesAt, bridge.name, claim));
  }

  void execute(int index) {
    Delayed judgement = delayed.remove(index);
    try {
      judgement.store().ledgerOf(judgement.bridge()).judge(judgement.claim());
    } catch (LedgerUnavailableException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns what is wrong when nothing more will happen by itself; null if nothing is wrong. */
  @Nullable String verdict() {
    if (living().anyMatch(ExploredBridge::holdsAnything)
        || !brokers.stream().allMatch(FakeBroker::isEmpty)) {
      return "STALL";
    }
    if (settledEarly) {
      return "LOSS";
    }
    for (char message : history.messages) {
      int arrived = arrived(message);
      if (arrived < due(message, batch -> brokerOf(batch).alive)) {
        return "LOSS";
      }
      int most = due(message, batch -> true) + expectedAgain.getOrDefault(message, 0);
      if (mostArrived(message) > most && !duplicatesLicensed) {
        return "DUPLICATE";
      }
    }
    return null;
  }

  /**
   * Whether a message was lost with a host, which is the one exception to delivery. The host's
   * broker had confirmed more copies than any other, and too few were delivered. {@link #loseHost}
   * checks that the host still had them.
   */
  boolean hasBurned() {
    return history.messages.stream()
        .anyMatch(message -> arrived(message) < due(message, batch -> true));
  }

  /**
   * Returns how often a message has to be in the sink on behalf of some batches. The fullest
   * stream's copies count, or the copies of all streams if drops are observed.
   */
  private int due(char message, IntPredicate batches) {
    IntStream counts =
        IntStream.range(0, history.streams).map(k -> history.count(k, message, batches));
    return observing ? counts.sum() : counts.max().orElse(0);
  }

  private FakeBroker brokerOf(int batch) {
    return brokers.get(history.batches.get(batch).stream());
  }

  /** Returns how often a message is in the sink that has it most often. */
  private int mostArrived(char message) {
    return sinks.stream().mapToInt(sink -> sink.getOrDefault(message, 0)).max().orElse(0);
  }

  /** Returns how often a message is in the sink that has it least often. */
  private int arrived(char message) {
    return sinks.stream().mapToInt(sink -> sink.getOrDefault(message, 0)).min().orElse(0);
  }

  State state() {
    String first = textOf(0);
    String second = textOf(1);
    boolean swapped = interchangeable && first.compareTo(second) > 0;
    byte[] text =
        fingerprint(swapped ? second : first, swapped ? first : second, swapped)
            .getBytes(StandardCharsets.ISO_8859_1);
    if (swapped) {
      exchangeNames(text);
    }
    return new State(HASH.hashBytes(text), swapped);
  }

  /** Returns the state as text; worlds with the same text have the same future. */
  String fingerprint() {
    return fingerprint(textOf(0), textOf(1), false);
  }

  /** Returns the state of a bridge as text, without its name. */
  private String textOf(int index) {
    ExploredBridge bridge = bridges.get(index);
    return bridge == null
        ? "none" + comingBack[index]
        : bridge.text() + stores.indexOf(bridge.judgesAt) + stores.indexOf(bridge.advancesAt);
  }

  /**
   * Returns the state as text, with the first two bridges in this order. If they are swapped, their
   * names are still to be exchanged.
   */
  private String fingerprint(String first, String second, boolean swapped) {
    List<String> names = names();
    if (swapped) {
      names.set(0, nameOf(1));
      names.set(1, nameOf(0));
    }
    StringBuilder text = new StringBuilder(first).append('|').append(second).append('|');
    for (int i = 0; i < BRIDGES; i++) {
      ExploredBridge bridge = bridges.get(swapped ? BRIDGES - 1 - i : i);
      text.append(bridge == null ? "" : bridge.ledger).append('|');
    }
    brokers.forEach(broker -> text.append(broker.text(names)).append('|'));
    Stream.concat(stores.stream(), Stream.ofNullable(spare))
        .forEach(
            store -> {
              text.append(store.fingerprint());
              names.forEach(name -> text.append(store.leaseOf(name)).append(','));
            });
    delayed.forEach(
        each ->
            text.append(stores.indexOf(each.store())).append(each.bridge()).append(each.claim()));
    text.append(
        Arrays.asList(
            redisUp,
            cutOff,
            sinks,
            expectedAgain,
            budget,
            snapshotTaken,
            duplicatesLicensed,
            hasOldBridge,
            settledEarly));
    return text.toString();
  }

  /** Exchanges the names of the first two bridges, which differ in the last bit: br0 and br1. */
  private static void exchangeNames(byte[] text) {
    for (int i = 2; i < text.length; i++) {
      if ((text[i] | 1) == '1' && text[i - 1] == 'r' && text[i - 2] == 'b') {
        text[i] ^= 1;
      }
    }
  }
}
