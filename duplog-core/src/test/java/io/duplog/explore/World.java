package io.duplog.explore;

import com.google.common.hash.HashCode;
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
import org.jspecify.annotations.Nullable;

/**
 * Two bridges of production classes around fake brokers, a fake sink and the production store. It
 * can take a step, and describe its state.
 */
final class World {
  static final int BRIDGES = 2;

  /**
   * What tells worlds apart that have different futures.
   *
   * @param swapped whether the bridges had to change places for it
   */
  record State(HashCode hash, boolean swapped) {}

  /** A judgement that its bridge has given up, and the server will execute. */
  record Delayed(ExplorableStore store, String bridge, Claim claim) {}

  final History history;
  final Setting setting;
  final Map<Fault, Integer> budget;
  final List<FakeBroker> brokers = new ArrayList<>();
  final List<@Nullable ExploredBridge> bridges = new ArrayList<>();

  /**
   * The server that bridges share; after a failover the deposed one before it, while it is asked.
   */
  final List<ExplorableStore> stores = new ArrayList<>();

  /** What bridges share while Redis is away, or for the second part; null where they do not. */
  final @Nullable ExplorableStore spare;

  boolean redisUp = true;

  /** The bridge that alone can't reach Redis; null where there is none. */
  @Nullable String cutOff;

  boolean snapshotTaken;
  private final boolean observing;
  private final Set<BrokenClause> broken;
  final List<Delayed> delayed = new ArrayList<>();
  private final Map<Character, Integer> sink = new TreeMap<>();

  /**
   * Bridges that died and are started again. To keep the exploration small that happens only when
   * no other bridge is left, since the other one serves as well as a new one.
   */
  private final boolean[] comingBack = new boolean[BRIDGES];

  private int incarnations;
  private int tokens;
  private boolean duplicatesLicensed;

  /** Where drops are observed: what comes again with a batch that the broker has twice. */
  private final Map<Character, Integer> expectedAgain = new TreeMap<>();

  /** Bridges differ in nothing but the host that each shares with a broker, and its names. */
  private final boolean interchangeable;

  /**
   * @param faults how often each may happen
   */
  World(History history, Map<Fault, Integer> faults, Set<BrokenClause> broken, Setting setting) {
    this.setting = setting;
    this.observing = setting == Setting.OBSERVING;
    this.history = history;
    this.broken = broken;
    this.budget = new EnumMap<>(Fault.class);
    budget.putAll(faults);
    this.interchangeable = !faults.containsKey(Fault.HOST_LOST) && setting != Setting.MISNAMED;
    this.duplicatesLicensed = setting == Setting.MISNAMED;
    this.spare =
        setting == Setting.SPARE || setting == Setting.PARTS
            ? new ExplorableStore(history.streams, broken, () -> "spare")
            : null;
    addStore();
    for (int i = 0; i < history.streams; i++) {
      brokers.add(new FakeBroker(i));
    }
    for (int i = 0; i < history.batches.size(); i++) {
      brokers.get(history.batches.get(i).stream()).publish(i, 0);
    }
    for (int i = 0; i < BRIDGES; i++) {
      bridges.add(new ExploredBridge(nameOf(incarnations++), i, this));
    }
  }

  /** A replica is promoted, or there is the first one. */
  void addStore() {
    boolean sameEpoch = broken.contains(BrokenClause.REPLICA_KEEPS_EPOCH);
    stores.add(
        new ExplorableStore(history.streams, broken, () -> "e" + (sameEpoch ? tokens : tokens++)));
  }

  /** What a bridge remembers by itself; null where it does not. */
  @Nullable ExplorableStore newMemory() {
    return setting == Setting.LOCAL
        ? new ExplorableStore(history.streams, Set.of(), () -> "own")
        : null;
  }

  boolean isReachable(String bridge) {
    return redisUp && !bridge.equals(cutOff);
  }

  /** The server that is asked, or will be once every bridge has noticed. */
  ExplorableStore store() {
    return stores.get(stores.size() - 1);
  }

  private static String nameOf(int incarnation) {
    return "br" + incarnation;
  }

  /** Every name that a bridge has had so far. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < incarnations; i++) {
      names.add(nameOf(i));
    }
    return names;
  }

  ExploredBridge bridge(int index) {
    return Objects.requireNonNull(bridges.get(index));
  }

  void take(Step step) {
    step.action().accept(this);
    boolean deposedIsUnused =
        stores.size() > 1
            && bridges.stream()
                .allMatch(
                    bridge ->
                        bridge == null
                            || (bridge.judgesAt == store() && bridge.advancesAt == store()));
    if (deposedIsUnused) {
      stores.remove(0);
    }
  }

  // What steps do, beyond one bridge, broker or store.

  void spend(Fault fault) {
    budget.merge(fault, -1, Integer::sum);
    duplicatesLicensed |= fault.licensesDuplicates;
  }

  void receive(int bridge, int broker) {
    FakeBroker from = brokers.get(broker);
    bridge(bridge).receive(from, history.batches.get(from.peek().batch()));
  }

  void accept(int bridge, int index) {
    bridge(bridge)
        .accept(index)
        .chars()
        .forEach(message -> sink.merge((char) message, 1, Integer::sum));
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
    return comingBack[index] && bridges.stream().allMatch(Objects::isNull);
  }

  void comeBack(int index) {
    comingBack[index] = false;
    bridges.set(index, new ExploredBridge(nameOf(incarnations++), index, this));
  }

  private List<ExplorableStore> servers() {
    List<ExplorableStore> servers = new ArrayList<>(stores);
    if (spare != null) {
      servers.add(spare);
    }
    return servers;
  }

  boolean isAlive(String name) {
    return bridges.stream().anyMatch(bridge -> bridge != null && bridge.name.equals(name));
  }

  /** Whether a bridge renews its lease at this server. */
  boolean renews(String name, ExplorableStore store) {
    return bridges.stream()
        .anyMatch(
            bridge -> bridge != null && bridge.name.equals(name) && bridge.advancesAt == store);
  }

  void loseHost(int index) {
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

  /** What a bridge only observes comes again with its batch, whoever delivered it before. */
  private void expectAgain(int batch) {
    if (observing) {
      history
          .batches
          .get(batch)
          .messages()
          .chars()
          .forEach(message -> expectedAgain.merge((char) message, 1, Integer::sum));
    }
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

  /** What is wrong when nothing more will happen by itself; null where nothing is. */
  @Nullable String verdict() {
    boolean held = bridges.stream().anyMatch(bridge -> bridge != null && bridge.holdsAnything());
    if (held || !brokers.stream().allMatch(FakeBroker::isEmpty)) {
      return "STALL";
    }
    for (char message : history.messages) {
      int needed = 0;
      int most = 0;
      for (int k = 0; k < history.streams; k++) {
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
      if (arrived > most + expectedAgain.getOrDefault(message, 0) && !duplicatesLicensed) {
        return "DUPLICATE";
      }
    }
    return null;
  }

  State state() {
    String first = textOf(0);
    String second = textOf(1);
    boolean swapped = interchangeable && first.compareTo(second) > 0;
    String text = fingerprint(swapped ? second : first, swapped ? first : second, swapped);
    return new State(
        Hashing.murmur3_128().hashBytes(text.getBytes(StandardCharsets.UTF_8)), swapped);
  }

  /** Equal text, equal future. */
  String fingerprint() {
    return fingerprint(textOf(0), textOf(1), false);
  }

  /** A bridge without its name. */
  private String textOf(int index) {
    ExploredBridge bridge = bridges.get(index);
    return bridge == null
        ? "none" + comingBack[index]
        : bridge.text() + stores.indexOf(bridge.judgesAt) + stores.indexOf(bridge.advancesAt);
  }

  /** The first two bridges in this order or in the other, with their names exchanged. */
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
    for (ExplorableStore store : servers()) {
      text.append(store.fingerprint());
      names.forEach(name -> text.append(store.leaseOf(name)).append(','));
    }
    delayed.forEach(
        each ->
            text.append(stores.indexOf(each.store())).append(each.bridge()).append(each.claim()));
    text.append(
        Arrays.asList(
            redisUp, cutOff, sink, expectedAgain, budget, snapshotTaken, duplicatesLicensed));
    return swapped ? exchangeNames(text.toString()) : text.toString();
  }

  private static String exchangeNames(String text) {
    return text.replace(nameOf(0), "\0").replace(nameOf(1), nameOf(0)).replace("\0", nameOf(1));
  }
}
