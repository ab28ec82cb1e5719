package io.duplog.explore;

import com.google.common.hash.HashCode;
import io.duplog.dedup.memory.ExplorableStore.BrokenClause;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds orders of events in which bridges would lose a message, by trying every order in a small
 * world with faults.
 *
 * <p>Production objects can't be copied, and each step needs a world of its own. Most states are
 * reached in several ways, so worlds that reach a known state are kept until that state's own steps
 * are taken. If too few were kept, another world is made by taking the steps from the beginning.
 *
 * @see "docs/decisions/tests.md#explorer"
 */
final class Explorer {
  /** Most states of an exploration; none here has as many, so each of them is complete. */
  static final int LIMIT = 600_000;

  /** Most worlds that are kept at a time, because each needs some 10 kB. */
  private static final int MOST_SPARE = 8_000;

  /**
   * The way in which a state was first reached: a step from another state. The first state has no
   * step.
   */
  private record Reached(int from, @Nullable Step by, boolean swapped) {}

  /**
   * The findings of an exploration.
   *
   * @param states number of distinct states that were visited
   * @param ends number of states in which nothing more can happen
   * @param burned number of ends without messages that only a lost host had
   * @param complete whether all states were visited
   * @param findings kinds of wrong ends, each with the first trace that leads to it
   */
  record Result(
      int states, int ends, int burned, boolean complete, Map<String, List<String>> findings) {}

  private final Setting setting;
  private final History history;
  private final List<Fault> faults;
  private final Set<BrokenClause> broken;

  /** States in the order in which they were found, in which their steps are taken, too. */
  private final List<Reached> states = new ArrayList<>();

  private final Map<HashCode, Integer> known = new HashMap<>();

  /** Next states of each state, by steps other than faults. */
  private final List<List<Integer>> next = new ArrayList<>();

  private final Map<Integer, Deque<World>> spare = new HashMap<>();
  private int spares;
  private int burned;

  private final Map<String, List<String>> findings = new TreeMap<>();

  /**
   * @param faults faults that may happen, each of them once
   */
  Explorer(Setting setting, History history, List<Fault> faults, Set<BrokenClause> broken) {
    this.setting = setting;
    this.history = history;
    this.faults = faults;
    this.broken = broken;
  }

  /**
   * Visits the states.
   *
   * @param stopAt kind of finding at which to stop; empty to visit all states
   */
  Result explore(String stopAt) {
    List<Integer> ends = new ArrayList<>();
    visit(beginning(), -1, null);
    int state = 0;
    for (; state < states.size() && state < LIMIT && !findings.containsKey(stopAt); state++) {
      expand(state);
      if (next.get(state).isEmpty()) {
        ends.add(state);
        judge(state);
      }
      Deque<World> left = spare.remove(state);
      spares -= left == null ? 0 : left.size();
    }
    boolean complete = state == states.size();
    if (complete) {
      findLivelock(ends);
    }
    return new Result(states.size(), ends.size(), burned, complete, findings);
  }

  private void expand(int state) {
    World first = worldIn(state);
    List<Step> steps = Steps.of(first);
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      World after = i == 0 ? first : worldIn(state);
      after.take(step);
      int target = visit(after, state, step);
      if (step.fault() == null && target != state) {
        next.get(state).add(target);
      }
    }
  }

  /**
   * Returns the state that a world is in, and keeps the world if that state's steps are still to be
   * taken.
   */
  private int visit(World world, int from, @Nullable Step by) {
    World.State state = world.state();
    Integer before = known.putIfAbsent(state.hash(), states.size());
    int target = before == null ? states.size() : before;
    if (before == null) {
      states.add(new Reached(from, by, state.swapped()));
      next.add(new ArrayList<>());
    }
    if (target >= from && spares < MOST_SPARE && states.get(target).swapped() == state.swapped()) {
      spare.computeIfAbsent(target, none -> new ArrayDeque<>()).push(world);
      spares++;
    }
    return target;
  }

  private World worldIn(int state) {
    Deque<World> waiting = spare.get(state);
    if (waiting != null && !waiting.isEmpty()) {
      spares--;
      return waiting.pop();
    }
    World world = beginning();
    path(state).forEach(world::take);
    return world;
  }

  private World beginning() {
    return new World(setting, history, faults, broken);
  }

  private List<Step> path(int state) {
    ArrayDeque<Step> path = new ArrayDeque<>();
    Reached reached = states.get(state);
    for (Step by = reached.by(); by != null; by = reached.by()) {
      path.addFirst(by);
      reached = states.get(reached.from());
    }
    return List.copyOf(path);
  }

  private void judge(int state) {
    World end = worldIn(state);
    String verdict = end.verdict();
    burned += verdict == null && end.hasBurned() ? 1 : 0;
    if (verdict != null && !findings.containsKey(verdict)) {
      findings.put(verdict, trace(state));
    }
  }

  /** Looks for a state from which no end can be reached without a fault, which is a livelock. */
  private void findLivelock(List<Integer> ends) {
    List<List<Integer>> previous = new ArrayList<>();
    states.forEach(state -> previous.add(new ArrayList<>()));
    for (int state = 0; state < states.size(); state++) {
      for (int target : next.get(state)) {
        previous.get(target).add(state);
      }
    }
    boolean[] ending = new boolean[states.size()];
    ArrayDeque<Integer> todo = new ArrayDeque<>(ends);
    while (!todo.isEmpty()) {
      int state = todo.remove();
      if (!ending[state]) {
        ending[state] = true;
        todo.addAll(previous.get(state));
      }
    }
    for (int state = 0; state < ending.length; state++) {
      if (!ending[state]) {
        findings.put("LIVELOCK", trace(state));
        return;
      }
    }
  }

  private List<String> trace(int state) {
    List<String> trace = new ArrayList<>();
    World world = beginning();
    for (Step step : path(state)) {
      trace.add(step.label().apply(world));
      world.take(step);
    }
    trace.add(world.fingerprint());
    return trace;
  }
}
