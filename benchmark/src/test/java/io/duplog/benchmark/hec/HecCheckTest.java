package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigLoader;
import io.duplog.deliver.hec.HecProbe;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.doctor.ClockCheck;
import io.duplog.doctor.Finding;
import io.duplog.doctor.Findings;
import io.duplog.doctor.HecCheck;
import io.duplog.doctor.Severity;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor makes of a collector's answers. */
class HecCheckTest {
  private final List<HecEvent> index = new CopyOnWriteArrayList<>();
  private @Nullable HecServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void healthy_withoutCanary_indexesNothing_andSaysWhatIsNotKnown() throws Exception {
    start(HecSettings.withToken(TOKEN).acknowledging(true));

    List<Finding> findings = examine(false, "acknowledge: true");

    assertThat(findings)
        .extracting(Finding::severity)
        .containsExactly(Severity.OK, Severity.NOT_CHECKED);
    assertThat(findings.get(1).what()).contains("the token's own index");
    assertThat(index).isEmpty();
  }

  @Test
  void canary_isMarked_andFollowedToTheIndexer() throws Exception {
    start(HecSettings.withToken(TOKEN).acknowledging(true));

    List<Finding> findings = examine(true, "acknowledge: true\nack-poll: 40ms");

    assertThat(findings).extracting(Finding::severity).containsOnly(Severity.OK);
    assertThat(findings.get(1).what()).contains("received after", "acknowledged by the indexer");
    assertThat(index)
        .singleElement()
        .satisfies(event -> assertThat(event.toString()).contains("duplog canary c1"));
  }

  @Test
  void canary_intoAnIndexThatIsNotAllowed_isAProblem() throws Exception {
    start(HecSettings.withToken(TOKEN).withIndexes(Set.of("main")));

    List<Finding> findings =
        examine(
            true,
            "routing: {defaults: {index: main}, rules: [{match: {severity: emerg},"
                + " set: {index: nowhere}}]}");

    assertThat(findings)
        .anySatisfy(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
              assertThat(finding.what()).contains("canary into index nowhere", "code 7");
              assertThat(finding.remedy()).contains("allow the index");
            })
        .anySatisfy(finding -> assertThat(finding.what()).contains("canary into index main"));
    assertThat(index).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          another | false | false | 403 (code 4 | check sink.hec.token
          TOKEN   | false | true  | code 14     | turn on indexer acknowledgement
          TOKEN   | true  | false | code 10     |
          """)
  void tokenThatIsNotAsConfigured_isAProblem(
      String token, boolean acknowledging, boolean expected, String what, @Nullable String remedy)
      throws Exception {
    start(
        HecSettings.withToken(token.equals("TOKEN") ? TOKEN : token).acknowledging(acknowledging));

    List<Finding> findings = examine(false, "acknowledge: " + expected);

    assertThat(findings.get(0).severity()).isEqualTo(Severity.PROBLEM);
    assertThat(findings.get(0).what()).contains(what);
    if (remedy == null) {
      assertThat(findings)
          .anySatisfy(
              finding -> assertThat(finding.what()).contains("sink.hec.acknowledge is off"));
    } else {
      assertThat(findings.get(0).remedy()).contains(remedy);
    }
  }

  @Test
  void nobodyThere_isAProblem() throws Exception {
    start(HecSettings.withToken(TOKEN)).refuseConnections();

    assertThat(examine(false, "acknowledge: false").get(0).what())
        .contains("can't be reached", "refused");
  }

  private HecServer start(HecSettings settings) throws IOException {
    HecServer started = new HecServer(settings, index::addAll);
    server = started;
    return started;
  }

  private List<Finding> examine(boolean canary, String keys) throws Exception {
    HecSinkConfig config =
        ConfigLoader.of(Map.of(), "host")
            .parse(
                "test",
                "urls: ['%s']\ntoken: %s\n%s\n"
                    .formatted(server == null ? "" : server.uri(), TOKEN, keys),
                HecSinkConfig.class);
    Findings findings = new Findings("hec");
    new HecCheck(HecProbe.of(config), canary, "c1", new ClockCheck()).examine(findings);
    return findings.list();
  }
}
