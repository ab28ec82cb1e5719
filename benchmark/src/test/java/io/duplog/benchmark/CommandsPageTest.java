package io.duplog.benchmark;

import io.duplog.cli.Main;
import io.duplog.ingest.IngestMain;
import io.duplog.parts.Generated;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Tests that the page of commands is what the programs say about themselves. */
class CommandsPageTest {
  private final StringBuilder page =
      new StringBuilder(
          """
          # Commands

          This page lists every command of `duplog` and `duplog-ingest`, with its options, exit statuses and examples. The option
          `--help` prints the same text.

          Without the packages, `java -jar duplog-VERSION.jar` takes the place of `duplog`.

          | command | purpose |
          |---|---|
          """);

  @Test
  void generatedPage_hasTheHelpOfEveryCommand() throws Exception {
    List<CommandLine> commands = new ArrayList<>();
    collect(Main.commandLine(), commands);
    commands.add(IngestMain.commandLine());

    commands.forEach(this::addRow);
    commands.forEach(this::addSection);
    addBenchmark(BenchmarkMain.commandLine());

    Generated.assertCurrent("docs/commands.md", page.toString());
  }

  private static void collect(CommandLine command, List<CommandLine> all) {
    all.add(command);
    subcommands(command).forEach(each -> collect(each, all));
  }

  /** Returns each subcommand once, although a command may have two names. */
  private static Collection<CommandLine> subcommands(CommandLine command) {
    return new LinkedHashSet<>(command.getSubcommands().values());
  }

  private void addRow(CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    page.append("| [%s](#%s) | %s |\n".formatted(name, name.replace(' ', '-'), purpose(command)));
  }

  private void addSection(CommandLine command) {
    page.append("\n## %s\n\n```text\n".formatted(command.getCommandSpec().qualifiedName()));
    command
        .getUsageMessage(Ansi.OFF)
        .lines()
        .forEach(line -> page.append(line.stripTrailing() + "\n"));
    page.append("```\n");
  }

  private void addBenchmark(CommandLine benchmark) {
    page.append(
        """

        ## duplog-benchmark

        Each command of `duplog-benchmark.jar` explains itself with `--help`. [Benchmarks](benchmarks.md) says which one to use.

        | command | purpose |
        |---|---|
        """);
    for (CommandLine command : subcommands(benchmark)) {
      page.append("| `%s` | %s |\n".formatted(command.getCommandName(), purpose(command)));
    }
  }

  /** Returns the first sentence of what a command says about itself. */
  private static String purpose(CommandLine command) {
    String about = String.join(" ", command.getCommandSpec().usageMessage().description());
    return about.formatted().replaceFirst("(?s)(?<=\\.) .*", "").replace("|", "\\|");
  }
}
