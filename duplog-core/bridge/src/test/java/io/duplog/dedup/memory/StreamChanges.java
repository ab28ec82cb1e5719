package io.duplog.dedup.memory;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.StreamSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the ledger loses no message in any order of adding and removing streams, by trying
 * all of them. A sender logs one message again and again, one of three streams comes and goes, and
 * two bridges are configured one after the other. After each step at least as many copies are kept
 * as the fullest stream has brought. If operators keep to the order of docs/procedures.md, the
 * copies that are kept never exceed the messages that were logged.
 */
final class StreamChanges {
  /**
   * All streams. The one that comes and goes is first, so that the other streams' places in the
   * bridges' lists differ.
   */
  private static final List<String> THREE = List.of("a", "b", "c");

  private static final List<String> PAIR = List.of("b", "c");

  /** Streams of a bridge whose file has another name for c. */
  private static final List<String> MISNAMED = List.of("b", "k");

  private static final long WINDOW = 100;
  private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE / 4);

  /** Something that may happen, as often as a history allows. */
  enum Change {
    /** A bridge begins again, with two streams or with three. */
    RESTART,
    /** The operator removes the third stream, once none of its messages is under way. */
    REMOVAL,
    /** The same, whatever is under way. */
    EARLY_REMOVAL,
    /** A bridge begins again with a name that is mistyped. */
    MISNAMING,
    /** Everything is forgotten that is ever forgotten. */
    WINDOW,
    /** A copy is lost on its way to a node. */
    LOST_COPY,
    /** The sender logs the message, to all nodes that it uses. */
    LOG
  }

  /** A clause of the rule that is left out on purpose. */
  enum BrokenClause {
    /** A stream is counted at its place in the bridge's own order. */
    SLOT_IS_OWN_PLACE,
    /** A stream that comes back has another slot than before. */
    RETURNING_STREAM_HAS_NEW_SLOT,
    /** Copies that a removed stream had brought are forgotten with it. */
    REMOVAL_FORGETS,
    /** A bridge waits for the streams only that it reads itself. */
    BRIDGE_AWAITS_OWN_STREAMS,
    /** Nobody waits for a new stream. */
    NEW_STREAM_IS_NOT_AWAITED,
    /** Every bridge is taken, whatever it reads. */
    NOBODY_IS_REFUSED
  }

  /**
   * The findings of the search.
   *
   * @param findings LOSS and DUPLICATE, each with the shortest way that leads to it
   */
  record Result(int states, Map<String, List<String>> findings) {}

  /** A step of any world that has the state in which it was found. */
  private record Step(String name, Consumer<World> action) {}

  private final Map<Change, Integer> budget;
  private final Set<BrokenClause> broken;

  StreamChanges(Map<Change, Integer> budget, Set<BrokenClause> broken) {
    this.budget = budget;
    this.broken = broken;
  }

  /**
   * Visits every state that can be reached, nearest ones first.
   *
   * @param stopAt end at the first finding of this kind; empty to go on to the end
   */
  Result explore(String stopAt) {
    Map<String, List<String>> findings = new TreeMap<>();
    Set<String> known = new HashSet<>();
    List<List<Step>> reached = List.of(List.of());
    while (!reached.isEmpty() && !findings.containsKey(stopAt)) {
      List<List<Step>> next = new ArrayList<>();
      for (List<Step> way : reached) {
        for (Step step : new World(way).steps()) {
          List<Step> longer = new ArrayList<>(way);
          longer.add(step);
          World after = new World(longer);
          if (known.add(after.text())) {
            String finding = after.verdict();
            if (finding == null) {
              next.add(longer);
            } else {
              findings.putIfAbsent(finding, longer.stream().map(Step::name).toList());
            }
          }
        }
      }
      reached = next;
    }
    return new Result(known.size(), findings);
  }

  /** A bridge's process. */
  private static final class Bridge {
    final String name;
    final List<String> streams;
    final MemoryLedger ledger;
    boolean refused;

    /** Streams that the bridge knew when it advanced last. */
    String knows = "";

    Bridge(String name, List<String> streams, MemoryStore store) {
      this.name = name;
      this.streams = streams;
      this.ledger = new MemoryLedger(store, name, streams, NEVER);
    }

    String text() {
      return streams + " " + refused + knows;
    }

    /** Returns the bridge's own number of a stream, or -1 if it does not read it. */
    int indexOf(int stream) {
      int index = streams.indexOf(THREE.get(stream));
      return index < 0 && stream == 2 ? streams.indexOf(MISNAMED.get(1)) : index;
    }
  }

  private final class World {
    private final AtomicLong nanos = new AtomicLong();
    private final Store store = new Store(nanos, broken);
    private final Map<Change, Integer> left = new EnumMap<>(budget);
    private final List<Bridge> bridges = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();

    /** Copies on their way, by stream; and those that bridges have judged. */
    private final int[] underWay = new int[THREE.size()];

    private final int[] brought = new int[THREE.size()];
    private int logged;
    private int kept;
    private int incarnations;
    private int batches;
    private boolean sendersUseThird;
    private boolean duplicatesLicensed;

    World(List<Step> way) {
      for (int i = 0; i < 2; i++) {
        bridges.add(begun(PAIR));
      }
      way.forEach(step -> step.action().accept(this));
    }

    private Bridge begun(List<String> streams) {
      Bridge bridge = new Bridge("bridge-" + incarnations++, streams, store);
      advance(bridge);
      return bridge;
    }

    private void advance(Bridge bridge) {
      try {
        bridge.ledger.advance(new Progress(List.of(), List.of(), Long.MAX_VALUE, false));
        bridge.refused = false;
      } catch (LedgerUnavailableException e) {
        bridge.refused = true;
      }
      bridge.knows = String.valueOf(store.agreed);
    }

    /** Returns the steps that may happen next. May be called once. */
    List<Step> steps() {
      for (int b = 0; b < bridges.size(); b++) {
        addStepsOf(b);
      }
      for (int stream = 0; stream < THREE.size(); stream++) {
        int lost = stream;
        if (underWay[stream] > 0) {
          add(
              Change.LOST_COPY,
              "a copy for " + THREE.get(stream) + " is lost",
              w -> w.underWay[lost]--);
        }
      }
      add(Change.LOG, "the sender logs", World::log);
      boolean merged = store.merges(THREE.get(0));
      if (merged || sendersUseThird) {
        add(
            "senders " + (sendersUseThird ? "leave" : "use") + " a",
            w -> w.sendersUseThird = !w.sendersUseThird);
      }
      if (merged && !sendersUseThird && underWay[0] == 0) {
        add(Change.REMOVAL, "a is removed", w -> w.store.remove(THREE.get(0)));
      }
      if (merged) {
        add(Change.EARLY_REMOVAL, "a is removed early", World::removeEarly);
      }
      add(Change.WINDOW, "a window passes", World::passWindow);
      return steps;
    }

    private void addStepsOf(int b) {
      Bridge bridge = bridges.get(b);
      for (int stream = 0; stream < THREE.size(); stream++) {
        int from = stream;
        if (underWay[stream] > 0 && bridge.indexOf(stream) >= 0) {
          add(
              bridge.name + " judges a copy of " + THREE.get(stream),
              w -> w.judge(w.bridges.get(b), from));
        }
      }
      if (!bridge.knows.equals(String.valueOf(store.agreed))) {
        add(bridge.name + " advances", w -> w.advance(w.bridges.get(b)));
      }
      String begins = bridge.name + " begins anew with ";
      add(Change.RESTART, begins + PAIR, w -> w.restart(b, PAIR));
      add(Change.RESTART, begins + THREE, w -> w.restart(b, THREE));
      add(
          Change.MISNAMING,
          begins + MISNAMED,
          w -> {
            w.duplicatesLicensed = true;
            w.restart(b, MISNAMED);
          });
    }

    private void add(String name, Consumer<World> action) {
      steps.add(new Step(name, action));
    }

    private void add(Change change, String name, Consumer<World> action) {
      if (left.getOrDefault(change, 0) > 0) {
        add(
            name,
            w -> {
              w.left.merge(change, -1, Integer::sum);
              action.accept(w);
            });
      }
    }

    private void log() {
      logged++;
      for (int stream = sendersUseThird ? 0 : 1; stream < underWay.length; stream++) {
        underWay[stream]++;
      }
    }

    private void judge(Bridge bridge, int stream) {
      underWay[stream]--;
      brought[stream]++;
      if (bridge.refused) {
        kept++; // passes through
        return;
      }
      Claim claim =
          new Claim("batch-" + batches++, bridge.indexOf(stream), ExplorableStore.digestsOf("m"));
      kept += ((Judgement.Counted) bridge.ledger.judge(claim)).kept().cardinality();
      store.pending.clear(); // delivered at once
    }

    private void restart(int index, List<String> streams) {
      bridges.get(index).ledger.leave();
      bridges.set(index, begun(streams));
    }

    private void removeEarly() {
      duplicatesLicensed = true;
      store.remove(THREE.get(0));
    }

    /** Leases are shorter: every bridge advances before a removed stream's slot is free. */
    private void passWindow() {
      duplicatesLicensed |= Arrays.stream(underWay).anyMatch(copies -> copies > 0);
      bridges.forEach(this::advance);
      nanos.addAndGet(2 * WINDOW + 1);
      store.forgetOld();
      bridges.forEach(this::advance);
    }

    @Nullable String verdict() {
      if (kept < Arrays.stream(brought).max().orElseThrow()) {
        return "LOSS";
      }
      return kept > logged && !duplicatesLicensed ? "DUPLICATE" : null;
    }

    String text() {
      // Which of the bridges is which makes no difference.
      String one = bridges.get(0).text();
      String other = bridges.get(1).text();
      return (one.compareTo(other) < 0 ? one + other : other + one)
          + store.agreed
          + store.counts.values()
          + Arrays.toString(underWay)
          + Arrays.toString(brought)
          + List.of(nanos, logged, kept, left, sendersUseThird, duplicatesLicensed);
    }
  }

  /** Leaves a clause out of the production store. */
  private static final class Store extends MemoryStore {
    private final AtomicLong nanos;
    private final Set<BrokenClause> broken;

    Store(AtomicLong nanos, Set<BrokenClause> broken) {
      super(WINDOW, 1000, nanos::get, () -> "token");
      this.nanos = nanos;
      this.broken = broken;
    }

    boolean merges(String stream) {
      return agreed != null && agreed.merged().contains(stream);
    }

    void forgetOld() {
      counts.values().removeIf(known -> known.expiresNanos <= nanos.get());
    }

    @Override
    synchronized boolean agree(List<String> names, boolean joining) {
      boolean agrees = super.agree(names, joining);
      if (!agrees && broken.contains(BrokenClause.NOBODY_IS_REFUSED) && agreed != null) {
        List<String> all = new ArrayList<>(agreed.merged());
        names.stream().filter(name -> !merges(name)).forEach(all::add);
        agrees = super.agree(all, true);
      }
      return agrees;
    }

    @Override
    synchronized void remove(String stream) {
      super.remove(stream);
      if (broken.contains(BrokenClause.RETURNING_STREAM_HAS_NEW_SLOT)) {
        agreed = StreamSet.parse(String.valueOf(agreed).replace(stream + "!", "another!"));
      }
      if (broken.contains(BrokenClause.REMOVAL_FORGETS)) {
        counts.clear();
      }
    }

    @Override
    int slotOf(List<String> own, Claim claim) {
      return broken.contains(BrokenClause.SLOT_IS_OWN_PLACE)
          ? claim.stream()
          : super.slotOf(own, claim);
    }

    @Override
    boolean[] awaited(List<String> own) {
      boolean[] awaited = super.awaited(own).clone();
      for (int slot = 0; slot < awaited.length; slot++) {
        if (broken.contains(BrokenClause.BRIDGE_AWAITS_OWN_STREAMS)) {
          awaited[slot] &= holdsOneOf(own, slot);
        }
        if (broken.contains(BrokenClause.NEW_STREAM_IS_NOT_AWAITED)) {
          awaited[slot] &= holdsOneOf(PAIR, slot);
        }
      }
      return awaited;
    }

    private boolean holdsOneOf(List<String> names, int slot) {
      return names.stream().anyMatch(name -> agreed.slotOf(name) == slot);
    }
  }
}
