package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests what a bridge reports and reads when streams are added to or removed from the deployment.
 */
class StreamMembershipTest {
  private final List<String> told = new ArrayList<>();
  private final StreamMembership pair =
      new StreamMembership(List.of("b", "c"), told::add, told::add);

  @Test
  void sameStreams_areNoNews() {
    pair.learn(StreamSet.of(List.of("b", "c")));

    assertThat(told).isEmpty();
    assertThat(pair.read()).containsExactly("b", "c");
  }

  @Test
  void streamThatOthersMerge_isToldOnce() {
    StreamSet three = StreamSet.parse("b,c,a");
    pair.learn(three);
    pair.learn(three);

    assertThat(told)
        .containsExactly(
            "the bridges now merge streams b, c, a",
            "stream a is merged by other bridges but not read by this one. Redis remembers every message that it does not bring for a window. Add it to this bridge's configuration, or end it with `duplog streams remove`.");
  }

  @Test
  void streamThatWasRemoved_isNotReadAnyMore_untilItIsBack() {
    pair.learn(StreamSet.parse("b,c!17,a"));
    assertThat(told).anyMatch(line -> line.startsWith("stream c was removed. "));
    assertThat(pair.read()).containsExactly("b");
    pair.learn(StreamSet.parse("b,-,a"));
    assertThat(pair.read()).containsExactly("b");
    assertThat(told).filteredOn(line -> line.startsWith("stream c was removed. ")).hasSize(1);

    pair.learn(StreamSet.parse("b,c,a"));
    assertThat(pair.read()).containsExactly("b", "c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          b,c             | b,d       | streams b, c, but this one merges b, d. Remove d from | , or add c to it; then all bridges merge d, too
          b,c,d,a!17      | a,b,c     | b, c, d, but this one merges a, b, c. Remove a from this bridge | configuration (a was removed), or add d to it
          a,b             | a,b,c     | this one merges a, b, c. Remove c from this bridge | configuration: there can be at most 8 streams
          """)
  void bridge_thatReadsOthers_isToldWhatToDo(
      String agreed, String own, String words, String others) {
    StreamMembership streams =
        new StreamMembership(List.of(own.split(",", -1)), told::add, told::add);

    assertThat(streams.refusedBy(agreed, ""))
        .hasMessageStartingWith("the other bridges merge streams ")
        .hasMessageContainingAll(words, others, "give this one its own dedup.redis.prefix");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          (window 2 ms, identity message, layout 5) | dedup.identity is sender-and-message here, but message on the other bridges, dedup.window is 1 ms here, but 2 ms on the other bridges. Give this bridge the same configuration
          (window 1 ms, layout 6)                   | Duplog's layout in Redis is 5 here, but 6 on the other bridges. Give this bridge the same version of Duplog
          (nonsense                                 | Duplog's layout in Redis is 5 here, but unknown on the other bridges, dedup.window is 1 ms here, but unknown on the other bridges. Give this bridge the same version of Duplog
          """)
  void bridge_withOtherTerms_isToldWhichDiffer(String theirs, String line) {
    assertThat(pair.refusedBy("b,c " + theirs, " (window 1 ms, layout 5)")).hasMessage(line);
  }

  @Test
  void set_isReadAsItIsWritten() {
    String text = "b,c!1700000000000,-,a";

    assertThat(StreamSet.parse(text)).hasToString(text);
    assertThat(StreamSet.parse(text).merged()).containsExactly("b", "a");
    assertThat(StreamSet.parse(text).freed(1_700_000_000_000L)).hasToString(text);
    assertThat(StreamSet.parse(text).freed(1_700_000_000_001L)).hasToString("b,-,-,a");
    assertThat(StreamSet.parse("b,-,-,a").with(List.of("a", "b", "d"), true))
        .hasToString("b,d,-,a");
  }
}
