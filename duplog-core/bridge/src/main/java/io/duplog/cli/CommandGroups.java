package io.duplog.cli;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/** The groups in which the help of {@code duplog} lists its commands. */
enum CommandGroups {
  SET_UP("Set up", "init", "reference", "check", "doctor", "route"),
  RUN("Run", "bridge"),
  LOOK("Look", "status", "top", "coverage", "senders", "tap", "statement"),
  REPAIR("Repair", "dead-letter", "streams");

  private static final int NAME_WIDTH = 15;
  private static final int WIDTH = 80;

  private final String title;
  private final ImmutableList<String> commands;

  CommandGroups(String title, String... commands) {
    this.title = title;
    this.commands = ImmutableList.copyOf(commands);
  }

  /**
   * Lists the subcommands of a command by group. Subcommands without a group are listed one after
   * the other.
   */
  static String render(Help help) {
    boolean grouped = help.subcommands().keySet().containsAll(LOOK.commands);
    return grouped
        ? Arrays.stream(values())
            .map(group -> "%n%s:%n".formatted(group.title) + rows(help, group.commands))
            .collect(Collectors.joining())
        : help.subcommands().isEmpty()
            ? ""
            : "Commands:%n".formatted() + rows(help, List.copyOf(help.subcommands().keySet()));
  }

  private static String rows(Help help, List<String> commands) {
    TextTable table =
        TextTable.forColumns(
            CommandLine.Help.defaultColorScheme(help.ansi()),
            new Column(NAME_WIDTH, 2, Column.Overflow.SPAN),
            new Column(WIDTH - NAME_WIDTH, 0, Column.Overflow.WRAP));
    for (String command : commands) {
      Help each = help.subcommands().get(command);
      if (each != null) {
        String[] description = each.commandSpec().usageMessage().description();
        table.addRowValues(command, description.length == 0 ? "" : description[0]);
      }
    }
    return table.toString();
  }
}
