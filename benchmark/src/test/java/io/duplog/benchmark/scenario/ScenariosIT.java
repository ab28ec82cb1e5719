package io.duplog.benchmark.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Scenarios for two seconds each, on real servers: not for their figures, for what they count. */
@Tag("whole-machine")
class ScenariosIT {
  private @TempDir Path folder;

  @Test
  void dataPrepper_withThreeClients_losesNothing_andReports() throws Exception {
    Map<String, String> fields =
        run(new DataPrepperCommand(), "data-prepper", "--clients", "3", "--only", "redundant");

    assertThat(fields)
        .containsEntry("/runs/0/variant", "redundant")
        .containsEntry("/runs/0/configuration/shims", "6");
    long sent = Long.parseLong(fields.get("/runs/0/sent"));
    assertThat(sent).isPositive();
    assertThat(sent % (3 * 200)).as("whole rounds").isZero();
    assertThat(fields)
        .containsEntry("/runs/0/copies", Long.toString(2 * sent))
        .containsEntry("/runs/0/delivered", Long.toString(sent))
        .containsKey("/runs/0/latency_ms/p99");
  }

  @Test
  void dataPrepper_onASinglePath_losesNothing() throws Exception {
    Map<String, String> fields =
        run(new DataPrepperCommand(), "data-prepper", "--clients", "2", "--only", "single path");

    assertThat(fields)
        .containsEntry("/runs/0/configuration/shims", "2")
        .containsEntry("/runs/0/copies", fields.get("/runs/0/sent"));
  }

  @Test
  void duplog_sustained_losesNothing_andReports() throws Exception {
    Map<String, String> fields = run(new DuplogCommand(), "duplog", "--only", "sustained");

    assertThat(fields).containsEntry("/runs/0/variant", "sustained");
  }

  @Test
  void growth_ofAHealthyPair_keepsWhatIsInFlightAlone() throws Exception {
    execute(new GrowthCommand(), "growth", "--only", "healthy pair");

    Map<String, String> fields = parse(folder.resolve("growth.json"));
    assertThat(fields)
        .containsEntry("/runs/0/sent", "80000")
        .containsEntry("/runs/0/copies", "160000")
        .doesNotContainKey("/runs/1/variant");
    assertThat(Double.parseDouble(fields.get("/runs/0/figures/Redis MB"))).isBetween(0.5, 30.0);
  }

  @Test
  void udpIntoRsyslog_losesNothing_andReports() throws Exception {
    String said = execute(new DuplogCommand(), "duplog", "--only", "udp-rsyslog");

    assertThat(said).contains("duplog: udp-rsyslog: ").contains("lost=0");
    assertThat(Files.readString(folder.resolve("duplog.md")))
        .contains("does not count for the exit");
  }

  /** Returns what it says. */
  private String execute(ScenarioCommand command, String name, String... arguments) {
    StringWriter said = new StringWriter();
    List<String> all = new ArrayList<>(List.of("--seconds", "2", "--warm-up", "1"));
    all.addAll(List.of("--out", folder.toString()));
    all.addAll(List.of(arguments));
    int status =
        new CommandLine(command)
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(all.toArray(String[]::new));
    assertThat(status).as("%s: %s", name, said).isZero();
    return said.toString();
  }

  /** Returns the values of its JSON by their places. */
  private Map<String, String> run(ScenarioCommand command, String name, String... arguments)
      throws IOException {
    Path json = folder.resolve("copy.json");
    List<String> all = new ArrayList<>(List.of("--json", json.toString()));
    all.addAll(List.of(arguments));

    String said = execute(command, name, all.toArray(String[]::new));

    assertThat(said)
        .contains(name + ": ")
        .contains("lost=0 duplicated=0 corrupted=0")
        .contains("report: " + folder.resolve(name + ".md"));
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(name + ".md", name + ".svg", name + ".json", "copy.json");
    }
    assertThat(json).hasSameTextualContentAs(folder.resolve(name + ".json"));
    Map<String, String> fields = parse(json);
    assertThat(fields)
        .containsEntry("/scenario", name)
        .containsEntry("/runs/0/lost", "0")
        .containsEntry("/runs/0/duplicated", "0")
        .containsEntry("/runs/0/corrupted", "0")
        .containsKey("/runs/0/cpu_us_per_message/bridge")
        .doesNotContainKey("/runs/1/variant");
    assertThat(fields.get("/machine/rsyslog")).startsWith("8.");
    return fields;
  }

  private static Map<String, String> parse(Path file) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(Files.readString(file))) {
      while (json.nextToken() != null) {
        if (json.currentToken().isScalarValue()) {
          fields.put(json.getParsingContext().pathAsPointer().toString(), json.getText());
        }
      }
    }
    return fields;
  }
}
