package io.duplog.cli;

import io.duplog.status.CoverageText;
import io.duplog.status.StatusException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that shows how many messages each stream missed, as counted by all bridges. */
@Command(
    name = "coverage",
    description = "Show which streams missed messages, and from which senders.",
    exitCodeOnExecutionException = 2,
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:no stream missed more than coverage.warn-percent",
      "1:a stream did, or two share almost no messages",
      "2:no bridge answers, or it does not count"
    },
    footerHeading = "Examples:%n",
    footer = {"  duplog coverage", "  duplog coverage --since 24h --json"})
final class CoverageCommand implements Callable<Integer> {
  @Mixin private PageOptions page = new PageOptions();

  @Option(
      names = "--since",
      paramLabel = "RANGE",
      description = "How far back from what is settled: 5m, 1h or 24h (default: ${DEFAULT-VALUE}).")
  private String since = "1h";

  @Option(names = "--json", description = "Print the state document's section as it is.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws StatusException {
    CoverageText look = CoverageText.at(page.reader().read(), since);
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? look.json() + "\n" : look.text());
    out.flush();
    return look.exitStatus();
  }
}
