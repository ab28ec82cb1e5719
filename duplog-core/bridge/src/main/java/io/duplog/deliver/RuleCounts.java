package io.duplog.deliver;

import io.duplog.deliver.route.MessageFilter.Filtered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/**
 * Counts the messages that each rule of one sink drops, or would drop. A rule is identified by its
 * number. After a rule file has changed, the counts of a number continue with the rule that now has
 * it. Thread-safe.
 */
public final class RuleCounts {
  /** The counts of one rule. */
  public static final class Count {
    private final LongAdder droppedMessages = new LongAdder();
    private final LongAdder observedMessages = new LongAdder();

    /** Returns the number of messages that the rule dropped. */
    public long dropped() {
      return droppedMessages.sum();
    }

    /** Returns the number of messages that the rule delivered, but would have dropped. */
    public long observed() {
      return observedMessages.sum();
    }
  }

  private final Map<Integer, Count> countsByRule = new ConcurrentSkipListMap<>();

  /** The rules that have counts; the same object as long as no rule file changes. */
  private volatile List<Integer> knownRules = List.of();

  private final List<BiConsumer<Integer, Count>> listeners = new ArrayList<>();

  /** Ensures that these rules have counts. Cheap if the list is the same object as before. */
  @SuppressWarnings("ReferenceEquality")
  void know(List<Integer> rules) {
    if (rules != knownRules) {
      addAll(rules);
      knownRules = rules;
    }
  }

  private synchronized void addAll(List<Integer> rules) {
    for (int rule : rules) {
      if (!countsByRule.containsKey(rule)) {
        Count count = new Count();
        countsByRule.put(rule, count);
        listeners.forEach(listener -> listener.accept(rule, count));
      }
    }
  }

  /** Calls the listener with each rule that has counts, now and when rules are added. */
  public synchronized void onEachRule(BiConsumer<Integer, Count> listener) {
    listeners.add(listener);
    countsByRule.forEach(listener);
  }

  /** Adds messages, after their sink has accepted what is left of their request. */
  void add(Filtered filtered) {
    for (int i = 0; i < filtered.rules().length; i++) {
      Count count = filtered.rules()[i] == 0 ? null : countsByRule.get(filtered.rules()[i]);
      if (count != null) {
        (filtered.dropped().get(i) ? count.droppedMessages : count.observedMessages).increment();
      }
    }
  }

  /** Returns the counts by rule, in the order of the rules. */
  public Map<Integer, Count> byRule() {
    return countsByRule;
  }

  /** Returns the number of messages that all rules dropped. */
  public long dropped() {
    return countsByRule.values().stream().mapToLong(Count::dropped).sum();
  }
}
