package io.duplog.benchmark.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.duplog.benchmark.report.Json;
import io.duplog.cli.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Tests that benchmark scenarios run on real servers without losing a message, for two seconds
 * each.
 */
@Tag("whole-machine")
class ScenariosIT {
  private @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "redundant, 3, 6, 2",
    "single path, 2, 2, 1",
    "'by HEC, two paths', 3, '2, by HEC', 2"
  })
  void dataPrepper_shortRun_losesNothingAndReports(
      String variant, int clients, String shims, int copies) throws Exception {
    JsonNode run =
        run(new DataPrepperCommand(), "data-prepper", "--clients", "" + clients, "--only", variant);

    assertThat(run.at("/configuration/shims").asText()).isEqualTo(shims);
    long sent = run.get("sent").asLong();
    assertThat(sent % (clients * 200L)).as("whole rounds").isZero();
    assertThat(run.get("copies").asLong()).isEqualTo(copies * sent);
    assertThat(run.get("delivered").asLong()).isEqualTo(sent + run.get("duplicated").asLong());
    assertThat(run.at("/latency_ms/p99").asDouble()).isPositive();
  }

  @Test
  void duplog_sustainedRun_losesNothingAndReports() throws Exception {
    run(new DuplogCommand(), "duplog", "--only", "sustained");
  }

  @Test
  void ratios_redisOnly_haveRoundAndCalibrationAndMemory() throws Exception {
    execute(new RatiosCommand(), "--only", "Redis", "--rounds", "1", "--spread", "99");

    JsonNode runs = Json.read(folder.resolve("ratios.json"), JsonNode.class).get("runs");
    assertThat(runs)
        .hasSize(3)
        .allSatisfy(run -> assertThat(run.at("/figures/SHA-256 MB~1s").asDouble()).isPositive());
    assertThat(runs.at("/1/variant").asText()).isEqualTo("plain GET and SET #1");
    JsonNode run = runs.get(0);
    assertThat(run.get("sent").asInt()).isEqualTo(80_000);
    assertThat(run.get("copies").asInt()).isEqualTo(160_000);
    assertThat(run.at("/figures/Redis MB").asDouble()).isBetween(0.5, 30.0);
  }

  @Test
  void ratios_pairWithASecondSink_losesNothing() throws Exception {
    execute(new RatiosCommand(), "--only", "confirmed, and", "--rounds", "1", "--spread", "99");

    JsonNode runs = Json.read(folder.resolve("ratios.json"), JsonNode.class).get("runs");
    assertThat(runs)
        .hasSize(3)
        .allSatisfy(
            run -> {
              assertThat(run.get("lost").asLong()).isZero();
              assertThat(run.get("sent").asLong()).isPositive();
              assertThat(run.at("/cpu_us_per_message/bridge").asDouble()).isPositive();
            });
    assertThat(runs)
        .extracting(run -> run.at("/configuration/sink").asText().replaceFirst(".*; ", ""))
        .containsExactly("an archive (zstd)", "a second one", "one broker of Kafka");
  }

  /** Runs a scenario and returns its output. */
  private String execute(ScenarioCommand command, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--seconds", "2", "--warm-up", "1"));
    all.addAll(List.of("--out", folder.toString()));
    all.addAll(List.of(arguments));
    return Commands.run(new CommandLine(command), 0, null, all.toArray(String[]::new)).out();
  }

  /** Runs a scenario with a single run, checks its files, and returns that run. */
  private JsonNode run(ScenarioCommand command, String name, String... arguments)
      throws IOException {
    Path json = folder.resolve("copy.json");
    List<String> all = new ArrayList<>(List.of("--json", json.toString()));
    all.addAll(List.of(arguments));

    String output = execute(command, all.toArray(String[]::new));

    assertThat(output)
        .contains(name + ": ")
        // On a busy machine, a slow answer of Redis costs duplicates.
        .containsPattern("lost=0 duplicated=\\d+ corrupted=0")
        .contains("report: " + folder.resolve(name + ".md"));
    assertThat(folder)
        .isDirectoryContaining("glob:**.svg")
        .isDirectoryContaining("glob:**.md")
        .isDirectoryNotContaining(Files::isDirectory);
    assertThat(json).hasSameTextualContentAs(folder.resolve(name + ".json"));
    JsonNode run = readOnlyRun(name);
    assertThat(run.get("variant").asText()).isEqualTo(arguments[arguments.length - 1]);
    assertThat(run.get("sent").asLong()).isPositive();
    assertThat(run.get("duplicated").asLong())
        .as("not every message, as without deduplication")
        .isLessThan(run.get("sent").asLong() / 2);
    assertThat(run.at("/cpu_us_per_message/bridge").asDouble()).isPositive();
    return run;
  }

  private JsonNode readOnlyRun(String name) throws IOException {
    JsonNode results = Json.read(folder.resolve(name + ".json"), JsonNode.class);
    assertThat(results.get("scenario").asText()).isEqualTo(name);
    assertThat(results.at("/machine/rsyslog").asText()).startsWith("8.");
    assertThat(results.get("runs")).hasSize(1);
    return results.at("/runs/0");
  }
}
