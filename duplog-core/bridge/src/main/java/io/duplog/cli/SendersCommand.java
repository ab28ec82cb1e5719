package io.duplog.cli;

import io.duplog.status.SendersText;
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

/** Command that lists the senders that any bridge of the deployment has heard. */
@Command(
    name = "senders",
    description = "List the senders, with their paths and what needs attention.",
    exitCodeOnExecutionException = 2,
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:nobody is silent on one path, gone, loud, slow or unheard",
      "1:somebody is",
      "2:no bridge answers, or it does not count"
    },
    footerHeading = "Examples:%n",
    footer = {"  duplog senders --only silent", "  duplog senders --find 10.1. --csv"})
final class SendersCommand implements Callable<Integer> {
  @Mixin private PageOptions page = new PageOptions();

  @Option(names = "--find", paramLabel = "TEXT", description = "Only senders with this in them.")
  private @Nullable String find;

  @Option(
      names = "--only",
      paramLabel = "KIND",
      description =
          "silent (on one path, and heard there before), gone (silent on all paths, for longer than"
              + " by chance), changed (loud or slow), gaps (in the numbers that it gives its messages),"
              + " clock (more than a minute off ours), malformed (headers), late (in reaching rsyslog), cut (at the length"
              + " of a buffer), refused (by the sink), unheard (expected, and not known), one-path (does not use another), or new (heard for less than a day).")
  private @Nullable String only;

  @Option(
      names = "--sort",
      paramLabel = "BY",
      description = "last, first, messages or sender (default: last).")
  private @Nullable String sort;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many, 10,000 at most (default: 100).")
  private @Nullable Integer limit;

  @Option(names = "--json", description = "Print the bridge's answer as it is.")
  private boolean json;

  @Option(names = "--csv", description = "Print a line for each sender and stream.")
  private boolean csv;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws StatusException {
    Map<String, @Nullable Object> words = new TreeMap<>();
    words.put("find", find);
    words.put("only", only);
    words.put("sort", sort);
    words.put("limit", limit);
    String answer = page.reader().read("senders", words);
    SendersText senders = new SendersText(answer);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(answer);
    } else {
      out.print(csv ? senders.csv() : senders.table());
    }
    out.flush();
    return senders.needsAttention() ? 1 : 0;
  }
}
