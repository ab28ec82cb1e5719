package io.duplog.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import io.duplog.observe.EventCounts;
import io.duplog.observe.LogLines;
import io.duplog.wire.MessageBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that several sinks have one outcome, and that a best-effort sink holds nobody up. */
class SinksTest {
  private static final MessageBatch BATCH = DeliveryRequests.batch(false, "a", "b", "c");

  private final List<String> outcomes = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final WaitingSink one = new WaitingSink();
  private final WaitingSink two = new WaitingSink();
  private final Conditions board = Boards.at(() -> 0);
  private final Sinks sinks =
      new Sinks(
          List.of(
              new Sinks.Member("one", "hec", "sink one", true, one, null),
              new Sinks.Member("two", "file", "sink two", true, two, null)));

  private DeliveryRequest request(DeliveryRequest.Origin origin) {
    BitSet all = new BitSet();
    all.set(0, BATCH.count());
    return new DeliveryRequest(
        origin,
        BATCH,
        all,
        DeliveryRequest.Passage.KEPT,
        i -> "",
        new DeliveryRequest.Callback() {
          @Override
          public void accepted() {
            outcomes.add("accepted");
          }

          @Override
          public void withdrawn() {
            outcomes.add("withdrawn");
          }

          @Override
          public void filtered(BitSet messages) {
            outcomes.add("filtered " + messages);
          }

          @Override
          public void refused(int message, @Nullable String sink, String reason, Runnable kept) {
            String by = sink == null ? "" : " by " + sink;
            outcomes.add("refused " + message + " " + reason + by);
            kept.run();
          }
        });
  }

  private DeliveryRequest request() {
    return request(DeliveryRequest.Origin.of("syslog-a", 0));
  }

  /** Each step is one sink's answer; nothing is reported before the last one. */
  @ParameterizedTest
  @CsvSource({
    "one accepts, two accepts, accepted",
    "two accepts, one accepts, accepted",
    "one withdraws, two accepts, withdrawn",
    "two accepts, one withdraws, withdrawn",
    "one accepts, two withdraws, withdrawn",
    "one withdraws, two withdraws, withdrawn"
  })
  void request_hasOneOutcome_afterTheLastSink(String first, String second, String outcome) {
    sinks.deliver(request());
    answer(first);
    assertThat(outcomes).isEmpty();
    answer(second);
    assertThat(outcomes).containsExactly(outcome);
  }

  private void answer(String words) {
    WaitingSink sink = words.startsWith("one") ? one : two;
    if (words.endsWith("accepts")) {
      sink.accept();
    } else {
      sink.withdraw();
    }
  }

  @Test
  void withdrawal_reachesAllSinks() {
    sinks.deliver(request());
    sinks.withdraw();
    assertThat(outcomes).containsExactly("withdrawn");
    assertThat(one.waiting).isEmpty();
    assertThat(two.waiting).isEmpty();
  }

  @Test
  void refusedMessage_namesItsSink_andCountsOnlyThere() {
    sinks.deliver(request());
    two.waiting.get(0).callback().refused(1, null, "too long", () -> outcomes.add("stored"));
    one.accept();
    two.accept();
    assertThat(outcomes).containsExactly("refused 1 too long by two", "stored", "accepted");
    assertThat(sinks.members())
        .extracting(Sinks.Member::delivered, Sinks.Member::refused)
        .containsExactly(tuple(3L, 0L), tuple(2L, 1L));
  }

  @Test
  void refusedMessage_ofTheOnlySink_namesNone() {
    Sinks only = Sinks.of("hec", one);
    only.deliver(request());
    one.waiting.get(0).callback().refused(0, null, "bad", () -> {});
    assertThat(outcomes).containsExactly("refused 0 bad");
  }

  /** A replayed dead letter goes to the sink that had refused it; an unknown name means all. */
  @ParameterizedTest
  @CsvSource({"one, 3, 0", "two, 0, 3", "gone, 3, 3"})
  void replayedRequest_goesToItsSink(String sink, int givenOne, int givenTwo) {
    sinks.deliver(request(new DeliveryRequest.Origin("syslog-a", 0, true, sink)));
    assertThat(one.given).isEqualTo(givenOne);
    assertThat(two.given).isEqualTo(givenTwo);
    one.accept();
    two.accept();
    assertThat(outcomes).containsExactly("accepted");
  }

  // ---- rules

  private static Routing rules(String yaml) {
    try {
      return new Routing(
          ConfigLoader.of(Map.of(), "h")
              .parse("rules.yaml", "rules: [" + yaml + "]", RoutingConfig.class));
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  private static String dropping(String message) {
    return message.isEmpty() ? "" : "{match: {message: '[" + message + "]'}, drop: true}";
  }

  /** Which messages the rules of each sink drop, what each is given, and the outcome. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          # one | two | required | one gets | two gets | filtered
          a   |     | true  | {1, 2} | {0, 1, 2} | none
          a   | ab  | true  | {1, 2} | {2}       | filtered {0}
          abc | abc | true  | none   | none      | filtered {0, 1, 2}
          abc | a   | true  | none   | {1, 2}    | filtered {0}
          # a sink that is not required has no say, even if it gets all of them
          ab  |     | false | {2}    | {0, 1, 2} | filtered {0, 1}
              | ab  | false | {0, 1, 2} | {2}    | none
          """)
  void message_isFiltered_ifEveryRequiredSinkDropsIt(
      String dropsOne,
      String dropsTwo,
      boolean isTwoRequired,
      String givenOne,
      String givenTwo,
      String filtered) {
    Sinks both =
        new Sinks(
            List.of(
                member("one", true, one, dropsOne), member("two", isTwoRequired, two, dropsTwo)));
    both.deliver(request());
    assertThat(given(one)).isEqualTo(givenOne);
    assertThat(given(two)).isEqualTo(givenTwo);
    one.accept();
    two.accept();
    assertThat(outcomes)
        .isEqualTo(filtered == null ? List.of("accepted") : List.of(filtered, "accepted"));
    for (Sinks.Member member : both.members()) {
      assertThat(member.delivered() + member.ruleCounts().dropped()).isEqualTo(3);
    }
  }

  private static Sinks.Member member(String name, boolean isRequired, Sink sink, String drops) {
    Routing rules = rules(drops == null ? "" : dropping(drops));
    return new Sinks.Member(name, "hec", "sink " + name, isRequired, sink, rules);
  }

  private static String given(WaitingSink sink) {
    return sink.waiting.isEmpty() ? null : sink.waiting.get(0).chosen().toString();
  }

  @Test
  void filteredMessages_ofAWithdrawnRequest_countNowhere() {
    Sinks only = new Sinks(List.of(member("one", true, one, "a")));
    only.deliver(request());
    only.withdraw();
    assertThat(outcomes).containsExactly("withdrawn");
    assertThat(only.members().get(0).ruleCounts().dropped()).isZero();
  }

  /** Its replay goes to the best-effort sink alone, so that this sink decides. */
  @Test
  void replayedMessage_thatItsOnlySinkDrops_isFiltered() {
    Sinks both =
        new Sinks(List.of(member("one", true, one, null), member("two", false, two, "abc")));
    both.deliver(request(new DeliveryRequest.Origin("syslog-a", 0, true, "two")));
    assertThat(outcomes).containsExactly("filtered {0, 1, 2}", "accepted");
  }

  @Test
  void ruleCounts_areThoseOfEachRule_andKnowTheRulesFromTheStart() {
    Routing rules =
        rules(
            "{match: {message: c}, mask: [{pattern: c, replacement: d}]},"
                + " {match: {message: a}, drop: true}, {match: {message: b}, drop: observe}");
    Sinks only = new Sinks(List.of(new Sinks.Member("one", "hec", "sink", true, one, rules)));
    List<Integer> known = new ArrayList<>();
    only.members().get(0).ruleCounts().onEachRule((rule, count) -> known.add(rule));
    assertThat(known).containsExactly(2, 3);
    only.deliver(request());
    assertThat(DeliveryRequests.texts(one.waiting.get(0).batch())).containsExactly("", "b", "d");
    assertThat(one.waiting.get(0).original()).isSameAs(BATCH);
    one.accept();
    assertThat(only.members().get(0).ruleCounts().byRule())
        .extractingFromEntries(
            each ->
                each.getKey() + " " + each.getValue().dropped() + " " + each.getValue().observed())
        .containsExactly("2 1 0", "3 0 1");
    assertThat(outcomes).containsExactly("filtered {0}", "accepted");
  }

  /** A refused message goes to the dead-letter queue as it was received, by its index. */
  @Test
  void refusedMessage_afterRules_keepsItsIndex() {
    Sinks only = new Sinks(List.of(member("one", true, one, "a")));
    only.deliver(request());
    one.waiting.get(0).callback().refused(2, null, "bad", () -> {});
    one.accept();
    assertThat(outcomes).containsExactly("refused 2 bad", "filtered {0}", "accepted");
    assertThat(only.members().get(0).delivered()).isEqualTo(1);
  }

  // ---- best effort

  private BestEffortSink bestEffort(long bytes) {
    return new BestEffortSink("siem", two, bytes, context());
  }

  private SinkContext context() {
    return new SinkContext("one", "sink siem", false, failures::add, board);
  }

  private static long memory(MessageBatch batch) {
    return DeliveryRequest.memoryOf(batch);
  }

  @Test
  void bestEffortSink_acceptsAtOnce_andCountsWhatDoesNotFit() {
    BestEffortSink siem = bestEffort(2 * memory(BATCH));
    for (int i = 0; i < 5; i++) {
      siem.deliver(request());
    }
    assertThat(outcomes).hasSize(5).containsOnly("accepted");
    assertThat(two.given).isEqualTo(6);
    assertThat(siem.missed()).isEqualTo(9);
    assertThat(Boards.trouble(board, "sink siem")).contains("siem", "buffer is full");

    two.accept();
    siem.deliver(request());
    assertThat(two.given).isEqualTo(9);
    assertThat(siem.missed()).isEqualTo(9);
    assertThat(board.condition("sink siem").isOk()).isTrue();
    assertThat(outcomes).hasSize(6);
  }

  @Test
  void bestEffortSink_takesABatchLargerThanItsBuffer_ifItIsEmpty() {
    BestEffortSink siem = bestEffort(1);
    siem.deliver(request());
    siem.deliver(request());
    assertThat(two.given).isEqualTo(3);
    two.accept();
    siem.deliver(request());
    assertThat(two.given).isEqualTo(6);
    assertThat(siem.missed()).isEqualTo(3);
  }

  /** A dead sink would otherwise look as if it had everything. */
  @Test
  void bestEffortSink_isCreditedOnlyWithWhatTheRealSinkAccepted() {
    Sinks.Member member =
        new Sinks.Member("siem", "hec", "sink siem", false, bestEffort(memory(BATCH)), null);
    Sinks both =
        new Sinks(List.of(new Sinks.Member("one", "hec", "sink one", true, one, null), member));
    both.deliver(request());
    both.deliver(request());
    assertThat(member.delivered()).isZero();
    two.waiting.get(0).callback().refused(2, null, "bad", () -> {});
    two.accept();
    assertThat(member.delivered()).isEqualTo(2);
    assertThat(member.sink().missed()).isEqualTo(1 + BATCH.count());
  }

  /** Each request has objects of its own, which weigh more than a short message. */
  @Test
  void bestEffortSink_countsTheMemoryOfSmallBatches() {
    BestEffortSink siem = bestEffort(64 << 10);
    for (int i = 0; i < 1000; i++) {
      siem.deliver(request());
    }
    assertThat(two.waiting.size()).isBetween(1, 128);
  }

  @Test
  void bestEffortSink_thatCanNotClose_saysWhatIsLeft() throws Exception {
    Sink hanging =
        new Sink() {
          @Override
          public void deliver(DeliveryRequest delivery) {}

          @Override
          public boolean isAvailable() {
            return false;
          }

          @Override
          public void withdraw() {}

          @Override
          public void close() throws IOException {
            throw new IOException("it hangs");
          }
        };
    BestEffortSink siem = new BestEffortSink("siem", hanging, 1 << 20, context());
    siem.deliver(request());
    List<String> lines =
        LogLines.of(
            BestEffortSink.class,
            () -> assertThatThrownBy(siem::close).hasMessageContaining("it hangs"));
    assertThat(lines).hasSize(1).first().asString().contains("3 messages in the buffer");
  }

  @Test
  void bestEffortSink_thatFails_doesNotEndTheBridge() {
    BestEffortSink.contextOf("siem", context()).failed().accept("sink hec failed (a defect).");
    assertThat(failures).isEmpty();
    assertThat(Boards.trouble(board, "sink siem"))
        .contains("sink hec failed (a defect).", "Restart this bridge");
  }

  private static Sink counting(EventCounts counts) throws ConfigException {
    Routing routing =
        new Routing(ConfigLoader.of(Map.of(), "host").parse("test.yaml", "", RoutingConfig.class));
    return new WaitingSink() {
      @Override
      public Routing routing() {
        return routing;
      }

      @Override
      public Map<EventCounts.Source, Long> accepted() {
        return counts.sums();
      }
    };
  }

  /** A statement would otherwise subtract the counts of one sink from those of another. */
  @Test
  void acceptedEvents_areAlwaysThoseOfTheSameSink() throws Exception {
    EventCounts counts = new EventCounts();
    Sinks hecs =
        new Sinks(
            List.of(
                new Sinks.Member("one", "hec", "sink one", true, counting(new EventCounts()), null),
                new Sinks.Member("two", "hec", "sink two", true, counting(counts), null)));
    counts.of(EventCounts.Source.of("syslog", "host")).increment();
    assertThat(hecs.accepted()).isEmpty();
  }

  /** The bridge has settled what the buffer holds, so a withdrawal must not lose it. */
  @Test
  void bestEffortSink_keepsItsBuffer_whenTheBridgeWithdraws() {
    BestEffortSink siem = bestEffort(1 << 20);
    siem.deliver(request());
    siem.withdraw();
    assertThat(two.waiting).hasSize(1);
    assertThat(siem.isAvailable()).isTrue();
  }

  /** It holds nobody up, but its metric and its row show it. */
  @Test
  void bestEffortSink_thatIsUnavailable_holdsNobodyUp_andIsShownAsUnavailable() {
    WaitingSink away =
        new WaitingSink() {
          @Override
          public boolean isAvailable() {
            return false;
          }
        };
    BestEffortSink siem = new BestEffortSink("siem", away, 1 << 20, context());
    Sinks.Member member = new Sinks.Member("siem", "hec", "sink siem", false, siem, null);
    assertThat(new Sinks(List.of(member)).isAvailable()).isTrue();
    assertThat(member.isAvailable()).isFalse();
  }

  @Test
  void bestEffortSink_countsARefusedMessage_andMakesNoDeadLetter() {
    BestEffortSink siem = bestEffort(1 << 20);
    siem.deliver(request());
    two.waiting.get(0).callback().refused(2, null, "bad", () -> outcomes.add("let go"));
    two.accept();
    assertThat(outcomes).containsExactly("accepted", "let go");
    assertThat(siem.missed()).isEqualTo(1);
  }
}
