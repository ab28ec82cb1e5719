package io.duplog.benchmark;

import io.duplog.benchmark.chaos.ChaosCommand;
import io.duplog.benchmark.demo.DemoCommand;
import io.duplog.benchmark.fuzz.FuzzCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program {@code duplog-benchmark.jar}. */
@Command(
    name = "duplog-benchmark",
    description = "Runs Duplog on real rsyslog, RabbitMQ and Redis, and counts every message.",
    subcommands = {DemoCommand.class, ChaosCommand.class, FuzzCommand.class},
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true)
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
