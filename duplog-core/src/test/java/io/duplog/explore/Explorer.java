package io.duplog.explore;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.duplog.dedup.ExplorableStore.BrokenClause;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Takes every order of steps that a history and a number of faults allow, and looks at what is left
 * when nothing more can happen. Production objects can't be copied, so each state is reached by
 * taking its steps again from the beginning.
 */
final class Explorer {
  /** Where a state was first reached from, and by which of that state's steps. */
  private record Reached(int from, int step) {}

  /**
   * What was found.
   *
   * @param states how many distinct states were visited
   * @param complete whether that was all of them
   * @param findings the kinds of wrong ends, each with the first trace that leads to it
   */
  record Result(int states, int ends, boolean complete, Map<String, List<String>> findings) {}

  private final History history;
  private final Map<Fault, Integer> faults;
  private final Set<BrokenClause> broken;
  private final Setting setting;
  private final int limit;

  private final List<Reached> states = new ArrayList<>();
  private final Map<HashCode, Integer> known = new HashMap<>();

  /** For each state, the states that its steps other than faults lead to. */
  private final List<List<Integer>> next = new ArrayList<>();

  private final Map<String, List<String>> findings = new TreeMap<>();

  /**
   * @param faults how often each may happen
   * @param limit stop after this many states
   */
  Explorer(History history, Map<Fault, Integer> faults, Set<BrokenClause> broken, int limit) {
    this(history, faults, broken, Setting.ENFORCING, limit);
  }

  Explorer(
      History history,
      Map<Fault, Integer> faults,
      Set<BrokenClause> broken,
      Setting setting,
      int limit) {
    this.history = history;
    this.faults = faults;
    this.broken = broken;
    this.setting = setting;
    this.limit = limit;
  }

  /**
   * @param stopAt end at the first finding of this kind; empty to go on to the end
   */
  Result explore(String stopAt) {
    ArrayDeque<Integer> todo = new ArrayDeque<>();
    List<Integer> ends = new ArrayList<>();
    World first = new World(history, faults, broken, setting);
    known.put(hash(first), 0);
    states.add(new Reached(-1, -1));
    next.add(new ArrayList<>());
    todo.add(0);
    while (!todo.isEmpty() && states.size() < limit && !findings.containsKey(stopAt)) {
      int state = todo.remove();
      World world = reach(state);
      int steps = world.steps().size();
      for (int i = 0; i < steps; i++) {
        World after = i == 0 ? world : reach(state);
        World.Step step = after.steps().get(i);
        step.run().run();
        int target = visit(after, state, i, todo);
        if (step.fault() == null && target != state) {
          next.get(state).add(target);
        }
      }
      if (next.get(state).isEmpty()) {
        ends.add(state);
        judge(state);
      }
    }
    boolean complete = todo.isEmpty();
    if (complete) {
      findLivelock(ends);
    }
    return new Result(states.size(), ends.size(), complete, findings);
  }

  private int visit(World world, int from, int step, ArrayDeque<Integer> todo) {
    HashCode hash = hash(world);
    Integer before = known.get(hash);
    if (before != null) {
      return before;
    }
    int state = states.size();
    known.put(hash, state);
    states.add(new Reached(from, step));
    next.add(new ArrayList<>());
    todo.add(state);
    return state;
  }

  private World reach(int state) {
    World world = new World(history, faults, broken, setting);
    for (int step : path(state)) {
      world.steps().get(step).run().run();
    }
    return world;
  }

  private ArrayDeque<Integer> path(int state) {
    ArrayDeque<Integer> path = new ArrayDeque<>();
    for (int at = state; states.get(at).from() >= 0; at = states.get(at).from()) {
      path.addFirst(states.get(at).step());
    }
    return path;
  }

  private void judge(int state) {
    String verdict = reach(state).verdict();
    if (verdict != null && !findings.containsKey(verdict)) {
      findings.put(verdict, trace(state));
    }
  }

  /** From every state an end must be within reach without a fault: else it runs in circles. */
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
        findings.putIfAbsent("LIVELOCK", trace(state));
      }
    }
  }

  private List<String> trace(int state) {
    List<String> trace = new ArrayList<>();
    World world = new World(history, faults, broken, setting);
    for (int step : path(state)) {
      World.Step taken = world.steps().get(step);
      trace.add(taken.label().get());
      taken.run().run();
    }
    trace.add(world.fingerprint());
    return trace;
  }

  private static HashCode hash(World world) {
    return Hashing.murmur3_128().hashString(world.fingerprint(), StandardCharsets.UTF_8);
  }
}
