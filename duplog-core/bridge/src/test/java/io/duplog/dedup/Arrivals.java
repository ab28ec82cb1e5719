package io.duplog.dedup;

import io.duplog.dedup.memory.BrokenCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Checks the deduplication rule for every order in which the copies of one message may arrive on
 * the streams. Orders that lead to the same state are continued once. After each copy, at least as
 * many copies are kept as the fullest stream has had so far. Separate counts of several ledgers
 * must explain all further kept copies.
 */
final class Arrivals {
  private static final int LEDGERS = 2;

  /** A way in which one copy comes to its verdict. */
  enum Way {
    /** The first ledger judges it. */
    FIRST("1"),
    /** The first is not available: the second judges it. */
    SECOND("2"),
    /** Both judge it, and it is dropped only if both say so. */
    BOTH("12"),
    /** The first may have counted it, and its answer is lost: it is kept. */
    UNANSWERED_KEPT("1?"),
    /** The first has counted it, and its answer is lost: the second judges it. */
    UNANSWERED_ASKED_AGAIN("1?2"),
    /** Nobody judges it: it is kept. */
    PASSED("-");

    private final String mark;

    /**
     * @param mark the ledgers that count it; a question mark behind one whose answer is lost
     */
    Way(String mark) {
      this.mark = mark;
    }

    /** Whether an answer arrives. */
    boolean isJudged() {
      return mark.endsWith("1") || mark.endsWith("2");
    }
  }

  /**
   * The findings of the search.
   *
   * @param states how many distinct states there are
   * @param mostDuplicates the largest number of copies kept beyond the fullest stream's
   * @param findings LOSS and DUPLICATE, each with the shortest order that leads to it. In the order
   *     {@code a12 b1}, both ledgers judge a copy on the first stream, and then the first ledger
   *     judges a copy on the second.
   */
  record Result(int states, int mostDuplicates, Map<String, String> findings) {}

  private final Supplier<Counts> rule;
  private final int streams;
  private final int evictions;
  private final List<Way> ways;

  private final Map<String, String> findings = new TreeMap<>();
  private int states;
  private int mostDuplicates;

  /**
   * @param rule makes what is counted of a message that is seen for the first time
   * @param evictions how many keys may be evicted, at any time; they explain any duplicate
   */
  Arrivals(Supplier<Counts> rule, int streams, int evictions, Way... ways) {
    this.rule = rule;
    this.streams = streams;
    this.evictions = evictions;
    this.ways = List.of(ways);
  }

  /**
   * @param longest how many copies arrive, evictions included
   */
  Result upTo(int longest) {
    List<State> reached = List.of(new State(rule, streams, evictions));
    for (int length = 0; length <= longest; length++) {
      Map<String, State> next = new LinkedHashMap<>();
      for (State state : reached) {
        states++;
        look(state);
        if (length < longest) {
          successors(state).forEach(after -> next.putIfAbsent(after.text(), after));
        }
      }
      reached = List.copyOf(next.values());
    }
    return new Result(states, mostDuplicates, findings);
  }

  private List<State> successors(State state) {
    List<State> successors = new ArrayList<>();
    for (int stream = 0; stream < streams; stream++) {
      for (Way way : ways) {
        State after = new State(state);
        after.arrive(stream, way);
        successors.add(after);
      }
    }
    for (int ledger = 0; ledger < LEDGERS && state.evictionsLeft > 0; ledger++) {
      for (int key = 0; key < BrokenCounts.keysOf(state.ledgers[ledger]); key++) {
        State after = new State(state);
        after.evict(ledger, key, rule);
        successors.add(after);
      }
    }
    return successors;
  }

  private void look(State state) {
    int duplicates = state.kept - Arrays.stream(state.arrived).max().orElseThrow();
    mostDuplicates = Math.max(mostDuplicates, duplicates);
    if (duplicates < 0) {
      findings.putIfAbsent("LOSS", state.order.strip());
    }
    if (duplicates > state.explained() && state.evictionsLeft == evictions) {
      findings.putIfAbsent("DUPLICATE", state.order.strip());
    }
  }

  private static final class State {
    private final Counts[] ledgers = new Counts[LEDGERS];

    /** Counts by ledger and stream. */
    private final int[][] counted = new int[LEDGERS][];

    /** Copies by stream. */
    private final int[] arrived;

    private int kept;

    /** Copies that were kept without a verdict. */
    private int unjudged;

    private int evictionsLeft;
    private String order;

    State(Supplier<Counts> rule, int streams, int evictions) {
      for (int i = 0; i < LEDGERS; i++) {
        ledgers[i] = rule.get();
        counted[i] = new int[streams];
      }
      this.arrived = new int[streams];
      this.evictionsLeft = evictions;
      this.order = "";
    }

    State(State before) {
      for (int i = 0; i < LEDGERS; i++) {
        ledgers[i] = before.ledgers[i].copy();
        counted[i] = before.counted[i].clone();
      }
      this.arrived = before.arrived.clone();
      this.kept = before.kept;
      this.unjudged = before.unjudged;
      this.evictionsLeft = before.evictionsLeft;
      this.order = before.order;
    }

    void arrive(int stream, Way way) {
      arrived[stream]++;
      order += " " + (char) ('a' + stream) + way.mark;
      kept += isKept(stream, way) ? 1 : 0;
    }

    private boolean isKept(int stream, Way way) {
      boolean byFirst = way.mark.contains("1") && count(0, stream);
      boolean bySecond = way.mark.contains("2") && count(1, stream);
      if (!way.isJudged()) {
        unjudged++;
        return true;
      }
      return bySecond || (byFirst && !way.mark.contains("?"));
    }

    private boolean count(int ledger, int stream) {
      counted[ledger][stream]++;
      boolean[] merged = new boolean[counted[ledger].length];
      Arrays.fill(merged, true);
      return ledgers[ledger].count(stream, merged);
    }

    void evict(int ledger, int key, Supplier<Counts> rule) {
      Counts left = BrokenCounts.without(ledgers[ledger], key);
      ledgers[ledger] = left == null ? rule.get() : left;
      evictionsLeft--;
      order += " evict" + (ledger + 1) + "/" + key;
    }

    /**
     * Returns how many duplicates ledgers that count apart may make. The fullest stream has had at
     * least the maximum of one ledger and the minima of the others. So the number is what the
     * streams differ by in all ledgers except the one in which they differ most, plus the copies
     * that were kept without a verdict.
     */
    int explained() {
      int[] spreads =
          Arrays.stream(counted)
              .mapToInt(counts -> max(counts) - Arrays.stream(counts).min().orElseThrow())
              .toArray();
      return IntStream.of(spreads).sum() - max(spreads) + unjudged;
    }

    private static int max(int[] numbers) {
      return Arrays.stream(numbers).max().orElseThrow();
    }

    String text() {
      return Arrays.toString(ledgers)
          + Arrays.deepToString(counted)
          + Arrays.toString(arrived)
          + List.of(kept, unjudged, evictionsLeft);
    }
  }
}
