package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the warnings of a loss; {@link CoverageStepsTest} shows when a loss is an alarm. */
class LossWatchTest {
  /**
   * A loss is given by its messages, those that it missed at most and at least, and its senders
   * likewise.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          b 120000 0 0                              | 0    | 0 | b missed none of 120,000 messages in the last 60 minutes
          b 120000 400 400 10.1.2.7:372 10.1.2.8:28 | 0    | 0 | b missed 0.33 % of 120,000 messages in the last 60 minutes, most of it from 10.1.2.7 (372)
          c 120000 120000 120000                    | 0    | 0 | c brought nothing: it missed 100 % of 120,000 messages in the last 60 minutes
          b 1000 10 4 \u001b[2J:10                  | 1500 | 0 | b missed 0.40 to 1.00 % of 1,000 messages in the last 60 minutes, most of it from ?[2J (10); up to 1,500 could not be compared
          c 1000 1000 0 s:1000                      | 1500 | 0 | c missed at most 100.00 %, perhaps nothing, of 1,000 messages in the last 60 minutes; up to 1,500 could not be compared
          a 300 0 0                                 | 0    | 1 | a missed none of 300 messages in the last 60 minutes; without 1 of the ledger's 6 parts for all or some of that time
          b 300 300 300                             | 0    | 1 | b missed 100.00 % of 300 messages in the last 60 minutes; without 1 of the ledger's 6 parts for all or some of that time
          """)
  void line_namesTheStream_theLoss_theSenderOfMostOfIt_andWhatIsNotSure(
      String stream, long doubtful, int missingParts, String line) {
    String[] words = stream.split(" ", -1);
    List<CoverageReport.Sender> senders =
        Stream.of(words)
            .skip(4)
            .map(each -> each.split(":", -1))
            .map(LossWatchTest::sender)
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
    assertThat(
            LossWatch.lines(
                new CoverageReport(
                    Duration.ofMinutes(10),
                    until.minusSeconds(3600),
                    until,
                    doubtful,
                    6,
                    partial,
                    null,
                    List.of(of))))
        .containsExactly(line);
  }

  private static CoverageReport.Sender sender(String[] words) {
    return new CoverageReport.Sender(words[0], 20_000, Long.parseLong(words[1]));
  }
}
