package io.duplog.cli;

import io.duplog.status.CoverageText;
import io.duplog.status.StatusException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog coverage}: shows how many messages each stream missed, as counted by
 * all bridges.
 */
@Command(
    name = "coverage",
    description = "Show which streams missed messages, and from which senders.",
    exitCodeOnExecutionException = 2,
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:no stream needs attention in this range",
      "1:a stream missed too many messages, or two share almost none",
      "2:no bridge answers, or it does not count"
    },
    footerHeading = "Examples:%n",
    footer = {"  duplog coverage", "  duplog coverage --since 24h --sender 10.1.2.7"})
final class CoverageCommand implements Callable<Integer> {
  @Mixin private PageOptions page = new PageOptions();

  @Option(
      names = "--since",
      paramLabel = "RANGE",
      description =
          "Time to look back from the last settled message: 5m, 1h or 24h (default: ${DEFAULT-VALUE}).")
  private String since = "1h";

  @Option(
      names = "--sender",
      paramLabel = "TEXT",
      description =
          "Only senders with this address, part of an address, network (10.1.0.0/16),"
              + " or host name that their messages carry.")
  private @Nullable String sender;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many senders of each stream, 10,000 at most (default: 20).")
  private @Nullable Integer limit;

  @Option(names = "--json", description = "Print the bridge's answer as it is, with all ranges.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws StatusException {
    CoverageText look = read();
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? look.json() + "\n" : look.text());
    out.flush();
    return look.exitStatus();
  }

  private CoverageText read() throws StatusException {
    if (sender == null && limit == null) {
      return CoverageText.at(page.reader().read(), since);
    }
    Map<String, @Nullable Object> words = new TreeMap<>();
    words.put("sender", sender);
    words.put("limit", limit);
    return CoverageText.ofAnswer(page.reader().read("coverage", words), since);
  }
}
