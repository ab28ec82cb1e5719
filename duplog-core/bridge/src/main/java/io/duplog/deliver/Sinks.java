package io.duplog.deliver;

import io.duplog.deliver.route.MessageFilter;
import io.duplog.deliver.route.MessageFilter.Filtered;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.EventCounts;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Delivers each request to all sinks of a bridge. A request is accepted when every sink has
 * accepted it, and withdrawn when every sink has ended it and at least one has withdrawn it. A sink
 * that must not hold up the others is a {@link BestEffortSink}. A sink with rules gets only what
 * they leave of a request.
 *
 * @see "docs/decisions/sinks.md#several-sinks"
 */
public final class Sinks implements Sink {

  /** One of the sinks, with its counts. */
  public static final class Member {
    private final String name;
    private final String kind;
    private final String subject;
    private final boolean isRequired;
    private final Sink sink;
    private final @Nullable Routing rules;
    private final RuleCounts ruleCounts = new RuleCounts();
    private final DropWatch dropWatch;
    private final LongAdder deliveredMessages = new LongAdder();
    private final LongAdder refusedMessages = new LongAdder();

    /**
     * @param name the sink's name in the configuration, or its kind if it is the only sink
     * @param kind the sink's type, such as {@code hec}
     * @param subject the name of the sink's component on the board
     * @param rules the rules that drop or mask messages before the sink gets them, or null if it
     *     has none
     */
    public Member(
        String name,
        String kind,
        String subject,
        boolean isRequired,
        Sink sink,
        @Nullable Routing rules) {
      this.name = name;
      this.kind = kind;
      this.subject = subject;
      this.isRequired = isRequired;
      this.sink = sink;
      this.rules = rules;
      this.dropWatch = new DropWatch(name);
      MessageFilter filter = rules == null ? null : rules.filter();
      if (filter != null) {
        ruleCounts.know(filter.droppingRules());
      }
    }

    public String name() {
      return name;
    }

    public String kind() {
      return kind;
    }

    public String subject() {
      return subject;
    }

    public boolean isRequired() {
      return isRequired;
    }

    public Sink sink() {
      return sink;
    }

    /**
     * Whether the sink is known to accept messages now. This is so even for a sink that is not
     * required, which never holds the bridge up.
     */
    public boolean isAvailable() {
      return sink instanceof BestEffortSink bestEffort
          ? bestEffort.isRealSinkAvailable()
          : sink.isAvailable();
    }

    /** Returns the rules that drop or mask messages, or null if the sink has none. */
    public @Nullable Routing rules() {
      return rules;
    }

    /** Returns the numbers of messages that the rules dropped, or would have dropped. */
    public RuleCounts ruleCounts() {
      return ruleCounts;
    }

    /** Returns what the rules do with a request, or null if they change and count nothing. */
    private @Nullable Filtered filtered(DeliveryRequest delivery) {
      MessageFilter filter = rules == null ? null : rules.filter();
      if (filter == null) {
        return null;
      }
      ruleCounts.know(filter.droppingRules());
      Filtered filtered =
          filter.apply(
              delivery.batch(), delivery.chosen(), delivery.digests(), delivery.receivedMillis());
      dropWatch.add(delivery.batch(), delivery.chosen(), filtered);
      return filtered;
    }

    /** Returns the number of messages that the sink has accepted since it was opened. */
    public long delivered() {
      // A best-effort sink accepts every request at once, also those that it then misses.
      return sink instanceof BestEffortSink bestEffort
          ? bestEffort.delivered()
          : deliveredMessages.sum();
    }

    /** Returns the number of messages that the sink has refused since it was opened. */
    public long refused() {
      return refusedMessages.sum();
    }
  }

  private static final BitSet NOTHING = new BitSet();
  private static final @Nullable Filtered[] NO_RESULTS = {};

  private final List<Member> members;

  /**
   * @param members at least one, with different names
   */
  public Sinks(List<Member> members) {
    this.members = List.copyOf(members);
  }

  /** Returns the sinks of a bridge with a single one. */
  public static Sinks of(String kind, Sink sink) {
    return new Sinks(List.of(new Member(kind, kind, SUBJECT, true, sink, sink.routing())));
  }

  /** Returns all sinks, in the configuration's order. */
  public List<Member> members() {
    return members;
  }

  /** Returns the sink with this name, or null if there is none. */
  public @Nullable Member named(String name) {
    return members.stream().filter(member -> member.name().equals(name)).findFirst().orElse(null);
  }

  /** The outcome of one delivery request at all sinks that have it. */
  private final class Outcome {
    private final DeliveryRequest delivery;
    private final AtomicInteger openSinks;
    private volatile boolean isWithdrawn;

    /** The messages that the rules of all required sinks drop. */
    private final BitSet droppedByAll;

    Outcome(DeliveryRequest delivery, int sinks, BitSet droppedByAll) {
      this.delivery = delivery;
      this.openSinks = new AtomicInteger(sinks);
      this.droppedByAll = droppedByAll;
    }

    void sinkEnded() {
      if (openSinks.decrementAndGet() > 0) {
        return;
      }
      if (isWithdrawn) {
        delivery.callback().withdrawn();
        return;
      }
      if (!droppedByAll.isEmpty()) {
        delivery.callback().filtered(droppedByAll);
      }
      delivery.callback().accepted();
    }

    DeliveryRequest.Callback of(Member member, @Nullable Filtered filtered) {
      return new DeliveryRequest.Callback() {
        private final AtomicInteger refusedHere = new AtomicInteger();

        /** Returns the outcome so far as text, by which the tests' explorer recognises states. */
        @Override
        public String toString() {
          return delivery.callback() + (isWithdrawn ? " withdrawn elsewhere" : "");
        }

        @Override
        public void accepted() {
          int droppedHere = 0;
          if (filtered != null) {
            member.ruleCounts.add(filtered);
            droppedHere = filtered.dropped().cardinality();
          }
          member.deliveredMessages.add(
              delivery.chosen().cardinality() - droppedHere - refusedHere.get());
          sinkEnded();
        }

        @Override
        public void withdrawn() {
          isWithdrawn = true;
          sinkEnded();
        }

        @Override
        public void refused(int message, @Nullable String sink, String reason, Runnable kept) {
          refusedHere.incrementAndGet();
          member.refusedMessages.increment();
          String named = members.size() == 1 ? null : member.name();
          delivery.callback().refused(message, named, reason, kept);
        }
      };
    }
  }

  @Override
  public void deliver(DeliveryRequest delivery) {
    List<Member> chosen = chosenFor(delivery);
    @Nullable Filtered[] results = results(chosen, delivery);
    Outcome outcome = new Outcome(delivery, chosen.size(), droppedByAll(chosen, results));
    for (int i = 0; i < chosen.size(); i++) {
      Member member = chosen.get(i);
      Filtered filtered = results.length == 0 ? null : results[i];
      DeliveryRequest left = delivery.with(outcome.of(member, filtered));
      if (filtered == null) {
        member.sink().deliver(left);
      } else if (filtered.chosen().isEmpty()) {
        left.callback().accepted();
      } else {
        member.sink().deliver(left.with(filtered));
      }
    }
  }

  /**
   * Returns what the rules of each sink do with a request, or null for a sink whose rules change
   * nothing. The array is empty if that is so for all sinks, as for most requests.
   */
  private static @Nullable Filtered[] results(List<Member> chosen, DeliveryRequest delivery) {
    @Nullable Filtered[] results = NO_RESULTS;
    for (int i = 0; i < chosen.size(); i++) {
      Filtered filtered = chosen.get(i).filtered(delivery);
      if (filtered != null) {
        results = results.length == 0 ? new @Nullable Filtered[chosen.size()] : results;
        results[i] = filtered;
      }
    }
    return results;
  }

  /**
   * Returns the messages that the rules of all required sinks drop. A replayed dead letter may have
   * only a sink that is not required; then that sink decides.
   */
  private static BitSet droppedByAll(List<Member> chosen, @Nullable Filtered[] results) {
    BitSet dropped = null;
    for (int i = 0; i < results.length; i++) {
      Filtered filtered = results[i];
      if (chosen.get(i).isRequired() || chosen.size() == 1) {
        BitSet here = filtered == null ? NOTHING : filtered.dropped();
        dropped = dropped == null ? (BitSet) here.clone() : dropped;
        dropped.and(here);
      }
    }
    return dropped == null ? NOTHING : dropped;
  }

  /**
   * Returns the sinks that must get a request. A replayed dead letter goes only to the sink that
   * had refused it, unless that sink is no longer configured.
   */
  private List<Member> chosenFor(DeliveryRequest delivery) {
    String only = delivery.origin().sink();
    Member member = only == null || members.size() == 1 ? null : named(only);
    return member == null ? members : List.of(member);
  }

  /** Returns the sinks that are not available now. */
  public List<Member> unavailable() {
    return members.stream().filter(member -> !member.sink().isAvailable()).toList();
  }

  @Override
  public boolean isAvailable() {
    for (Member member : members) {
      if (!member.sink().isAvailable()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean acceptsNothing() {
    return members.stream().anyMatch(member -> member.sink().acceptsNothing());
  }

  @Override
  public int isolated() {
    return members.stream().mapToInt(member -> member.sink().isolated()).sum();
  }

  @Override
  public void withdraw() {
    members.forEach(member -> member.sink().withdraw());
  }

  @Override
  public void watch() {
    members.forEach(member -> member.sink().watch());
  }

  /** Returns what the first sink with routing rules has accepted, which is always the same sink. */
  @Override
  public Map<EventCounts.Source, Long> accepted() {
    return members.stream()
        .filter(member -> member.sink().routing() != null)
        .findFirst()
        .orElse(members.get(0))
        .sink()
        .accepted();
  }

  @Override
  public @Nullable String reopen() {
    String reopened =
        members.stream()
            .map(member -> member.sink().reopen())
            .filter(Objects::nonNull)
            .collect(Collectors.joining(", "));
    return reopened.isEmpty() ? null : reopened;
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    for (Member member : members) {
      try {
        member.sink().close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
