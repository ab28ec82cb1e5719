package io.duplog.benchmark.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.io.Resources;
import io.duplog.benchmark.BenchmarkMain;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests that every benchmark scenario has a page with exactly one placeholder for its results. */
class ScenarioPagesTest {
  @Test
  void everyScenario_page_hasOnePlaceholderForResults() throws Exception {
    int pages = 0;
    for (CommandLine each : BenchmarkMain.commandLine().getSubcommands().values()) {
      if (each.getCommand() instanceof ScenarioCommand) {
        var page = Resources.getResource(ScenarioCommand.class, each.getCommandName() + ".md");
        assertThat(Resources.toString(page, UTF_8)).containsOnlyOnce("\n{{results}}\n");
        pages++;
      }
    }
    assertThat(pages).isPositive();
  }
}
