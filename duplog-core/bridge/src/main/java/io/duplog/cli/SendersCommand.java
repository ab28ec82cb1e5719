package io.duplog.cli;

import io.duplog.senders.Concern;
import io.duplog.status.SendersText;
import io.duplog.status.StatusException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog senders}: lists the senders that any bridge of the deployment has
 * heard, and what is unusual about them.
 */
@Command(
    name = "senders",
    description = "List the senders, with their paths and what needs attention.",
    modelTransformer = SendersCommand.Help.class,
    exitCodeOnExecutionException = 2,
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:no sender needs attention, whatever was asked for",
      "1:a sender needs attention",
      "2:no bridge answers, or it does not count"
    },
    footerHeading = "Examples:%n",
    footer = {"  duplog senders --only silent", "  duplog senders --find 10.1. --csv"})
final class SendersCommand implements Callable<Integer> {
  private static final String ONLY = "--only";

  /** Describes {@code --only}, because no annotation can list the concerns. */
  static final class Help implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
      OptionSpec only = command.findOption(ONLY);
      command.remove(only);
      return command.addOption(
          only.toBuilder()
              .description(
                  Stream.of(Concern.values())
                      .map(concern -> concern.word() + " (" + concern.verb(1) + ")")
                      .collect(
                          Collectors.joining(
                              ", ",
                              "Only senders with this concern: ",
                              ", or changed (loud or slow).")))
              .build());
    }
  }

  @Mixin private PageOptions page = new PageOptions();

  @Option(
      names = "--find",
      paramLabel = "TEXT",
      description =
          "Only senders with this address, part of an address, network (10.1.0.0/16), or host name"
              + " that their messages carry.")
  private @Nullable String find;

  @Option(names = ONLY, paramLabel = "CONCERN")
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
    return senders.exitStatus();
  }
}
