package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.Condition;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which health level and sentence an operator sees for a number of messages that a stream
 * missed. {@link CoverageStepsTest} tests them over time.
 */
class StreamLossTest {
  private static final String CONSEQUENCE =
      " Another stream delivered these messages. Check this node's network and rsyslog.";

  /**
   * A loss is given by its number of messages, the maximum and the minimum of missed messages, and
   * the same for its senders.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          b 120000 0 0                              | 0    | 0 | OK        | b missed none of 120,000 messages in the 60 minutes until 13:46 UTC.
          b 120000 400 400 10.1.2.7:372 10.1.2.8:28 | 0    | 0 | ATTENTION | b missed 0.33 % of 120,000 messages in the 60 minutes until 13:46 UTC, mostly from 10.1.2.7 (372).
          b 120000 400 400 10.1.2.7:150 10.1.2.8:99 | 0    | 0 | OK        | b missed 0.33 % of 120,000 messages in the 60 minutes until 13:46 UTC.
          b 120000 900 900 10.1.2.7:250 10.1.2.8:99 | 0    | 0 | ATTENTION | b missed 0.75 % of 120,000 messages in the 60 minutes until 13:46 UTC, among them 1.25 % of those from 10.1.2.7.
          b 120000 400 200 10.1.2.7:372             | 200  | 0 | OK        | b missed 0.17 to 0.33 % of 120,000 messages in the 60 minutes until 13:46 UTC, mostly from 10.1.2.7 (372). Up to 200 messages could not be compared.
          x 500 250 250                             | 0    | 0 | OK        | x missed 50.00 % of 500 messages in the 60 minutes until 13:46 UTC.
          b 500 9 9 10.1.2.7:9                      | 0    | 0 | OK        | b missed 1.80 % of 500 messages in the 60 minutes until 13:46 UTC, mostly from 10.1.2.7 (9).
          b 500 10 10                               | 0    | 0 | ATTENTION | b missed 2.00 % of 500 messages in the 60 minutes until 13:46 UTC.
          b 900000 20000 20000 s:20000              | 0    | 0 | ATTENTION | b missed 2.22 % of 900,000 messages in the 60 minutes until 13:46 UTC, mostly from s (20,000).
          b 9000000 20000 20000 s:20000             | 0    | 0 | OK        | b missed 0.22 % of 9,000,000 messages in the 60 minutes until 13:46 UTC, mostly from s (20,000).
          c 120000 120000 120000                    | 0    | 0 | ATTENTION | c brought none of 120,000 messages in the 60 minutes until 13:46 UTC.
          b 1000 10 4 \u001b[2J:10                  | 1500 | 0 | OK        | b missed 0.40 to 1.00 % of 1,000 messages in the 60 minutes until 13:46 UTC, mostly from ?[2J (10). Up to 1,500 messages could not be compared.
          c 1000 1000 0 s:1000                      | 1500 | 0 | OK        | c missed at most 100.00 %, perhaps none, of 1,000 messages in the 60 minutes until 13:46 UTC. Up to 1,500 messages could not be compared.
          a 300 0 0                                 | 0    | 2 | OK        | a missed none of 300 messages in the 60 minutes until 13:46 UTC. Messages of part 0, 1 of the ledger's 6 are left out for some of that time.
          b 300 300 300                             | 0    | 1 | ATTENTION | b missed 100.00 % of 300 messages in the 60 minutes until 13:46 UTC. Messages of part 0 of the ledger's 6 are left out for some of that time.
          """)
  void condition_hasALevelAndOneSentence(
      String stream, long doubtful, int missingParts, Level level, String sentence) {
    String[] words = stream.split(" ", -1);
    List<CoverageReport.Sender> senders =
        Stream.of(words)
            .skip(4)
            .map(each -> each.split(":", -1))
            .map(StreamLossTest::sender)
            .toList();
    CoverageReport.Stream of =
        new CoverageReport.Stream(
            words[0],
            Long.parseLong(words[1]),
            Long.parseLong(words[2]),
            Long.parseLong(words[3]),
            senders,
            new CoverageReport.Sender("", 0, 0));
    List<CoverageReport.Partial> partial =
        IntStream.range(0, missingParts)
            .mapToObj(part -> new CoverageReport.Partial(part, null, null))
            .toList();
    Instant until = Instant.ofEpochSecond(1_000_000);
    CoverageReport report =
        new CoverageReport(
            Duration.ofMinutes(10),
            until.minusSeconds(3600),
            until,
            doubtful,
            6,
            partial,
            null,
            List.of(of));

    Condition condition =
        new StreamLoss(of, report, 1, List.of(new Mismatch("x", "y", null))).condition();

    assertThat(condition.level()).isEqualTo(level);
    assertThat(condition.sentence())
        .isEqualTo(level == Level.OK ? sentence : sentence + CONSEQUENCE);
    assertThat(condition.runbook()).isEqualTo(level == Level.OK ? null : Runbook.COVERAGE_LOSS);
  }

  private static CoverageReport.Sender sender(String[] words) {
    return new CoverageReport.Sender(words[0], 20_000, Long.parseLong(words[1]));
  }
}
