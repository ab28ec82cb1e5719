package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.collector.HecEvent;
import io.duplog.collector.HecSettings;
import io.duplog.deliver.hec.HecStage;
import io.duplog.doctor.ClockCheck;
import io.duplog.doctor.Findings;
import io.duplog.doctor.HecCheck;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which problems the doctor reports about different HTTP Event Collectors, such as one that
 * rejects the token.
 */
class HecCheckTest {
  /** Each finding has its severity, and a pattern for the problem and the remedy. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # collector   | the sink's keys    | canaries indexed | findings
          acknowledging | acknowledge: true  | none | OK accepts the token; NOT_CHECKED the token's own index
          acknowledging | acknowledge: true  | 1    | OK; OK received after .*acknowledged by the indexer
          other token   | acknowledge: false | none | PROBLEM 403 .code 4.*check sink.hec.token; WARNING
          plain         | acknowledge: true  | none | PROBLEM code 14.*turn on indexer acknowledgement
          acknowledging | acknowledge: false | none | PROBLEM code 10; WARNING sink.hec.acknowledge is off
          away          | acknowledge: true  | none | PROBLEM is unreachable.*refused
          plain         | routing: {defaults: {index: main}, rules: [{match: {severity: emerg}, set: {index: nowhere}}]} \
                                             | 1    | OK; OK canary into index main; \
                                                      PROBLEM canary into index nowhere.*code 7.*allow the token; WARNING
          """)
  void examine_eachKindOfCollector_hasFindings(
      String collector, String keys, String canaries, String expected) throws Exception {
    List<HecEvent> index = new CopyOnWriteArrayList<>();
    boolean sendCanary = !canaries.equals("none");
    HecSettings settings =
        new HecSettings(
            collector.equals("other token") ? "other" : TOKEN,
            collector.equals("acknowledging"),
            Set.of("main"),
            HecSettings.MAX_BYTES);
    Findings findings = new Findings("hec");
    try (HecServer server = new HecServer(settings, index::addAll)) {
      if (collector.equals("away")) {
        server.refuseConnections();
      }
      String configuration =
          "urls: ['%s']\ntoken: %s\nack-poll: 40ms\n%s".formatted(server.uri(), TOKEN, keys);
      new HecCheck("", HecStage.config(configuration), sendCanary, "c1", new ClockCheck())
          .examine(findings);
    }

    assertThat(findings.list())
        .zipSatisfy(
            List.of(expected.split("; *")),
            (finding, pattern) ->
                assertThat(finding.toString())
                    .containsPattern("severity=" + pattern.replaceFirst(" ", ", .*")));
    assertThat(index).hasSize(sendCanary ? Integer.parseInt(canaries) : 0);
    assertThat(index).allMatch(event -> event.event().contains("duplog canary c1"));
  }
}
