package io.duplog.benchmark;

import io.duplog.benchmark.chaos.ChaosCommand;
import io.duplog.benchmark.demo.DemoCommand;
import io.duplog.benchmark.drive.HecForeignCommand;
import io.duplog.benchmark.hec.HecStandInCommand;
import io.duplog.benchmark.part.PartsCommand;
import io.duplog.benchmark.plan.PlanCommand;
import io.duplog.benchmark.scenario.AllCommand;
import io.duplog.benchmark.scenario.DataPrepperCommand;
import io.duplog.benchmark.scenario.DuplogCommand;
import io.duplog.benchmark.scenario.GrowthCommand;
import io.duplog.benchmark.scenario.LogtrustCommand;
import io.duplog.benchmark.scenario.RatiosCommand;
import io.duplog.benchmark.scenario.Sc4sCommand;
import io.duplog.benchmark.simulate.SimulateCommand;
import io.duplog.benchmark.soak.SoakCommand;
import io.duplog.rig.LabException;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/**
 * Starts {@code duplog-benchmark.jar}, whose subcommands measure Duplog, break it on purpose, and
 * plan installations.
 */
@Command(
    name = "duplog-benchmark",
    description = "Runs Duplog with real rsyslog, RabbitMQ and Redis, and counts every message.",
    subcommands = {
      DemoCommand.class,
      ChaosCommand.class,
      RatiosCommand.class,
      DuplogCommand.class,
      Sc4sCommand.class,
      DataPrepperCommand.class,
      LogtrustCommand.class,
      GrowthCommand.class,
      PartsCommand.class,
      AllCommand.class,
      SoakCommand.class,
      PlanCommand.class,
      SimulateCommand.class,
      HecStandInCommand.class,
      HecForeignCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    scope = CommandLine.ScopeType.INHERIT)
public final class BenchmarkMain {
  private static final int FAILED = 1;

  private BenchmarkMain() {}

  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // Makes the format of numbers the same on every machine.
    System.exit(commandLine().execute(args));
  }

  public static CommandLine commandLine() {
    return new CommandLine(new BenchmarkMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(BenchmarkMain::reportFailure);
  }

  /**
   * Prints a server's failure as one line, without a stack trace; rethrows all other exceptions.
   */
  private static int reportFailure(Exception e, CommandLine command, ParseResult parsed)
      throws Exception {
    if (!(e instanceof LabException)) {
      throw e;
    }
    command.getErr().println(command.getCommandName() + ": " + e.getMessage());
    return FAILED;
  }
}
