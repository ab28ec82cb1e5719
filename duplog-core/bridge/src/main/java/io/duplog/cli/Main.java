package io.duplog.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;

import com.google.common.base.Throwables;
import io.duplog.cli.route.RouteCommand;
import io.duplog.config.ConfigException;
import io.duplog.deliver.SinkException;
import io.duplog.observe.Printable;
import io.duplog.observe.Version;
import io.duplog.status.StatusException;
import java.util.Locale;
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
    scope = CommandLine.ScopeType.INHERIT,
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
public final class Main {
  private static final String LOGBACK = "logback.configurationFile";

  private Main() {}

  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals("bridge")) {
      EarlySignals.begin();
    }
    Locale.setDefault(Locale.ROOT); // bridges with different locales must agree to the byte
    // Set here, because the jar of a module that uses this one has a Logback file of its own.
    if (System.getProperty(LOGBACK) == null) {
      System.setProperty(LOGBACK, "io/duplog/cli/logback.xml");
    }
    System.exit(commandLine().execute(args));
  }

  public static CommandLine commandLine() {
    CommandLine duplog = new CommandLine(new Main());
    duplog.getCommandSpec().version("duplog " + Version.line());
    // A URL on the command line may hold a password, which no message repeats.
    CommandLine.IParameterExceptionHandler parameters = duplog.getParameterExceptionHandler();
    duplog.setParameterExceptionHandler(
        (failure, arguments) -> parameters.handleParseException(redacted(failure), arguments));
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

  private static ParameterException redacted(ParameterException failure) {
    String message = "" + failure.getMessage();
    String shown = Printable.redacted(message);
    return shown.equals(message)
        ? failure
        : new ParameterException(failure.getCommandLine(), shown);
  }
}
