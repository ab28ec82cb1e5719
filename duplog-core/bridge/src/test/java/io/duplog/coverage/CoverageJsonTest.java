package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import io.duplog.status.CoverageText;
import io.duplog.wire.Heartbeat.Losses;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a bridge answers a query for certain senders with the messages that each stream missed
 * of them.
 */
class CoverageJsonTest {
  private static final CoverageJson.Nodes NODES = (stream, from, until) -> new Losses(300, 0);

  private Site site;

  /** Stream b misses one of two messages from each sender except r4. */
  @BeforeEach
  void lose() throws Exception {
    site = new Site(2, 1, 1);
    site.run(1, 0);
    List<String> all = List.of("r1 1", "r1 2", "r2 1", "r2 2", "r3 1", "r3 2", "r4 1");
    site.judge(0, site.batch(0, 0, all));
    site.judge(0, site.batch(0, 1, all.stream().filter(each -> each.endsWith("1")).toList()));
    site.settle();
  }

  private String answer(Map<String, String> words) {
    return JsonObject.render(
        CoverageJson.of(
            site.coverages.get(0),
            NODES,
            1,
            words,
            text -> (Predicate<String>) sender -> sender.contains(text)));
  }

  private static List<String> senders(JsonValue range) {
    return range.at("streams").list().get(1).at("senders").list().stream()
        .map(sender -> sender.at("sender").text() + ":" + sender.at("missed").value())
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''             | r1:1 r2:1 r3:1 r4:0
          limit=2        | r1:1 r2:1 (others):1
          sender=r3      | r3:1
          sender=r4      | r4:0
          sender=r,limit=2 | r1:1 r2:1
          sender=x       | ''
          """)
  void query_listsTheMatchingSenders_inTextAndJson(String question, String expected)
      throws Exception {
    Map<String, String> words = new TreeMap<>();
    for (String word : question.split(",", -1)) {
      words.put(word.replaceFirst("=.*", ""), word.replaceFirst(".*=", ""));
    }

    JsonValue answer = JsonValue.parse(answer(words));

    List<String> senders = expected.isEmpty() ? List.of() : List.of(expected.split(" ", -1));
    assertThat(senders(answer)).isEqualTo(senders);
    assertThat(senders(answer.at("last_24h"))).isEqualTo(senders);
    assertThat(answer.at("streams").list().get(1).at("sentence").text())
        .as("does not depend on the question")
        .startsWith("b missed 42.86 % of 7 messages in the ");
    String text = CoverageText.ofAnswer(answer(words), "24h").text();
    assertThat(
            text.lines().filter(line -> line.startsWith("  r")).map(line -> line.substring(2, 4)))
        .containsAll(
            senders.stream()
                .filter(each -> each.startsWith("r") && each.endsWith("1"))
                .map(each -> each.substring(0, 2))
                .toList());
    assertThat(text).contains("\nThe node's kernel dropped 300 datagrams because rsyslog was too");
  }

  @Test
  void answer_hasTheMissesOfEachStream() throws Exception {
    JsonValue asked = JsonValue.parse(answer(Map.of("sender", "r"))).at("asked");
    assertThat(asked.at("found").number()).isEqualTo(4);
    assertThat(asked.at("sentence").text())
        .isEqualTo(
            "'r' names 4 senders. a missed none of 7 messages. b missed 3 of 7 messages (42.86 %).");
    assertThat(CoverageText.ofAnswer(answer(Map.of("sender", "r4")), "24h").text())
        .contains("\n  r4                                  1            0      0.00\n")
        .contains(
            "\n'r4' names 1 sender. a missed none of 1 message. b missed none of 1 message.\n");
  }

  @Test
  void senderWithoutOwnCounts_isExplained_withARemedy() throws Exception {
    assertThat(CoverageText.ofAnswer(answer(Map.of("sender", "x\u001b")), "1h").text())
        .contains("\nNo sender that 'x?' names has counts of its own in this time. ")
        .contains(
            "Check `duplog senders --find x?`. If it is known there, raise coverage.senders.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "10001", "ten", ""})
  void invalidLimit_isRejected(String limit) {
    assertThatThrownBy(() -> answer(Map.of("limit", limit)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("limit must be");
  }
}
