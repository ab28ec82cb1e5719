package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Splitter;
import io.duplog.benchmark.report.Json;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioResults;
import io.duplog.cli.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Tests the figures that the command {@code plan} prints for an installation, and which options it
 * rejects.
 */
class PlanCommandTest {
  private static final int FAILED = 1;
  private static final int WRONG_OPTION = 2;

  private @TempDir Path folder;

  private static Commands.Said plan(int status, String options) {
    List<String> words = Splitter.on(' ').omitEmptyStrings().splitToList(options);
    CommandLine command = new CommandLine(new PlanCommand());
    return Commands.run(command, status, null, words.toArray(String[]::new));
  }

  @Test
  void plan_demandOfDocuments_usesCostsOfThisBuild() {
    String options = "--rate 50000 --size 340 --streams 2 --loss 0.5 --lag 10m --repeats 3";
    assertThat(plan(0, options).out())
        .contains("50,000 messages/s of 340 bytes on 2 streams; each path loses 0.5 %")
        .contains("the slowest stream lags by 10 min")
        .contains("processor", "memory", "disk", "duplicates", "losses", "hosts", "not modelled")
        .contains("sc4s: pair, confirmed; extrapolated")
        .contains("of 32 cores");
  }

  @Test
  void plan_jsonRequested_writesFiguresFromCosts() throws IOException {
    Path file = folder.resolve("plan.json");
    String demand = "--rate 10000 --size 500 --loss 1 --repeats 2 --outage 2h --cores 4";
    String files = " --costs " + TestCosts.file("test-costs.json") + " --json " + file;
    plan(0, demand + files);
    JsonNode plan = Json.read(file, JsonNode.class);
    assertThat(value(plan, "processor", "rsyslog")).isCloseTo(0.01 * 2 * 0.99 * 7, offset(0.001));
    double copies = 2 * 0.99;
    double redis = copies * 2 + copies * 0.01 * 3;
    assertThat(value(plan, "processor", "redis")).isCloseTo(0.01 * redis, offset(0.001));
    double waiting = 10_000 * (1 + 2 * 0.99 * 0.01 * 900);
    assertThat(value(plan, "memory", "redis"))
        .isCloseTo(1e6 + waiting * 90 + 10_000 * 900 * 0.5, offset(1e4));
    assertThat(value(plan, "disk", "rsyslog")).isCloseTo(10_000 * 0.99 * 7200 * 500, offset(1.0));
    assertThat(value(plan, "losses", "nowhere")).isCloseTo(10_000 * 1e-4 * 86_400, offset(1.0));
    assertThat(value(plan, "losses", "by_rule"))
        .isCloseTo(5000 * 2e-4 * 0.99 * 0.99 * 86_400, offset(1.0));
    // The window is 600 times the lag.
    double lateMessages = new EqualMessages(2, 2, 0.01).duplicates(1 / 600.0);
    assertThat(value(plan, "duplicates", "of_late_copies"))
        .isPositive()
        .isCloseTo(5000 * lateMessages * 86_400, offset(1.0));
    assertThat(plan.at("/hosts/0/cores").asInt()).isEqualTo(4);
    assertThat(plan.at("/demand/lag_seconds").asDouble()).isEqualTo(1);
  }

  private static double value(JsonNode plan, String section, String key) {
    return plan.at("/" + section + "/" + key + "/value").asDouble();
  }

  @ParameterizedTest
  @CsvSource({
    "--rate, 0, --rate must be",
    "--rate, 10000001, --rate must be",
    "--rate, NaN, --rate must be",
    "--size, 0, --size must be",
    "--size, 2000000, --size must be",
    "--streams, 1, --streams must be",
    "--streams, 9, --streams must be",
    "--loss, 100, --loss must be",
    "--loss, -1, --loss must be",
    "--lag, 10, must be a duration",
    "--lag, 31d, --lag must be",
    "--window, 1s, --window must be",
    "--window, 8d, --window must be",
    "--repeats, 0, --repeats must be",
    "--repeats, 100001, --repeats must be",
    "--outage, -1h, must be a duration",
    "--cores, 0, --cores must be",
    "--rate, fast, Invalid value"
  })
  void plan_invalidOption_isRejected(String option, String value, String message) {
    String rate = option.equals("--rate") ? value : "1000";
    String otherOption = option.equals("--rate") ? "--size=1" : option + "=" + value;
    assertThat(plan(WRONG_OPTION, "--rate=" + rate + " " + otherOption).err()).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--rate=1 --validate=x"})
  void plan_neitherOrBothOfRateAndValidate_isRejected(String options) {
    assertThat(plan(WRONG_OPTION, options).err()).contains("exactly one of --rate and --validate");
  }

  @Test
  void validate_runTooFarOff_hasStatusOne() throws IOException {
    Path file = folder.resolve("peers.json");
    String options = "--costs " + TestCosts.file("test-costs.json") + " --validate " + file;
    for (double costFactor : new double[] {1.1, 1.3}) {
      List<Run> runs = List.of(ValidationTest.run("pair", costFactor));
      Json.write(file, new ScenarioResults("peers", Map.of("cores", "2"), runs));
      plan(costFactor > 1.2 ? FAILED : 0, options);
    }
  }

  @ParameterizedTest
  @CsvSource({"{\"busy\": 1}, no costs of bridge", "[], can't be read: ", ", does not exist"})
  void plan_unreadableCosts_printsOneLineAndHasStatusOne(String content, String message)
      throws IOException {
    Path file = folder.resolve("broken.json");
    if (content != null) {
      Files.writeString(file, content);
    }
    String err = plan(FAILED, "--rate=1 --costs " + file).err();
    assertThat(err.lines()).hasSize(1);
    assertThat(err).startsWith("plan: ").contains(message);
  }
}
