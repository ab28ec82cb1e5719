package io.duplog.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;

import com.google.common.base.Throwables;
import io.duplog.cli.route.RouteCommand;
import io.duplog.config.ConfigException;
import io.duplog.deliver.SinkException;
import io.duplog.observe.Printable;
import io.duplog.observe.Version;
import io.duplog.process.ProgramLog;
import io.duplog.status.StatusException;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/**
 * Starts the program {@code duplog.jar}, whose commands run, check and watch bridges. Its exit
 * status is 0 after success, 1 after a failure, and 2 if the command line or the configuration is
 * invalid. A command may have other statuses.
 */
@Command(
    name = "duplog",
    description = "Merges redundant syslog streams into one stream without duplicates.",
    footerHeading = "Examples:%n",
    footer = {
      "  duplog check --config /etc/duplog/duplog.yaml  try every connection",
      "  duplog status                                   show the bridge on this host",
      "  duplog coverage --help                          explain one command"
    },
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT)
public class Main {
  /** The program with all of its commands, for its help and for the completion of its options. */
  @Command(
      subcommands = {
        BridgeCommand.class,
        CheckCommand.class,
        CoverageCommand.class,
        DeadLetterCommand.class,
        DoctorCommand.class,
        InitCommand.class,
        ReferenceCommand.class,
        RouteCommand.class,
        SendersCommand.class,
        StatementCommand.class,
        StatusCommand.class,
        StreamsCommand.class,
        TapCommand.class,
        TopCommand.class
      })
  static final class AllCommands extends Main {}

  private Main() {}

  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals("bridge")) {
      EarlySignals.begin();
    }
    Locale.setDefault(Locale.ROOT); // bridges with different locales must agree to the byte
    ProgramLog.begin(ProgramLog.TEXT + "%ex{full}");
    System.exit(commandLine(args).execute(args));
  }

  /**
   * Returns the program's command line.
   *
   * @param arguments if the first one is a command, the other commands are left out, because
   *     loading them takes a fifth of the time of {@code duplog status}
   */
  public static CommandLine commandLine(String... arguments) {
    CommandLine duplog =
        Stream.of(AllCommands.class.getAnnotation(Command.class).subcommands())
            .filter(command -> arguments.length > 0 && name(command).equals(arguments[0]))
            .findFirst()
            .map(Main::withCommand)
            .orElseGet(() -> new CommandLine(new AllCommands()));
    duplog.getCommandSpec().version("duplog " + Version.line());
    // A URL on the command line may hold a password, which no message repeats.
    CommandLine.IParameterExceptionHandler parameters = duplog.getParameterExceptionHandler();
    duplog.setParameterExceptionHandler(
        (failure, words) -> parameters.handleParseException(redacted(failure), words));
    duplog.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
    duplog.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST, CommandGroups::render);
    return duplog.setExecutionExceptionHandler(
        (failure, line, result) -> {
          if (failure instanceof ConfigException
              || failure instanceof SinkException
              || failure instanceof StatusException) {
            line.getErr().println("duplog: " + Printable.redacted("" + failure.getMessage()));
            return failure instanceof ConfigException
                    || failure.getCause() instanceof ConfigException
                ? 2
                : line.getCommandSpec().exitCodeOnExecutionException();
          }
          line.getErr().print(Printable.redacted(Throwables.getStackTraceAsString(failure)));
          line.getErr().flush(); // print alone leaves it in a buffer, and the program exits
          return line.getCommandSpec().exitCodeOnExecutionException();
        });
  }

  private static CommandLine withCommand(Class<?> command) {
    // A command line of its own, because picocli applies no model transformer to a class.
    return new CommandLine(new Main()).addSubcommand(new CommandLine(command));
  }

  private static String name(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  private static ParameterException redacted(ParameterException failure) {
    String message = "" + failure.getMessage();
    String shown = Printable.redacted(message);
    return shown.equals(message)
        ? failure
        : new ParameterException(failure.getCommandLine(), shown);
  }
}
