package io.duplog.cli;

import io.duplog.bridge.Bridge;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.config.ConfigException;
import io.duplog.config.Differences;
import io.duplog.config.LogConfig;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.Sinks;
import io.duplog.doctor.Finding;
import io.duplog.doctor.Findings;
import io.duplog.observe.Conditions;
import io.duplog.process.ProcessLimits;
import io.duplog.process.ProgramLog;
import io.duplog.process.Signals;
import io.duplog.process.Supervision;
import io.duplog.process.SystemdNotify;
import io.duplog.status.StatusException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The command {@code duplog bridge}: runs the bridge until SIGTERM, SIGINT, or a permanent failure
 * of the sink.
 */
@Command(
    name = "bridge",
    description = "Run a bridge: read the streams, drop duplicates, deliver to the sink.",
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:the bridge was stopped",
      "2:the command line, the configuration or a limit of the host is wrong",
      "3:a thread of the bridge failed; systemd starts it again"
    },
    footerHeading = "Example:%n",
    footer = "  duplog bridge --config /etc/duplog/duplog.yaml")
final class BridgeCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(BridgeCommand.class);

  @Mixin private ConfigOption config = new ConfigOption();

  private final CountDownLatch endSignal = new CountDownLatch(1);
  private volatile boolean hasSinkFailed;

  @Override
  public Integer call()
      throws ConfigException, SinkException, StatusException, InterruptedException {
    BridgeConfig settings = config.load();
    if (settings.log().format() == LogConfig.Format.JSON) {
      ProgramLog.asJson("duplog");
    }
    checkLimits(settings);
    Conditions board = Conditions.ofSystem();
    Sinks sinks = settings.openSinks(this::endAfterSinkFailure, board);
    Bridge bridge = new Bridge(settings, LedgerFactory.ledgers(settings, board), sinks, board);
    bridge.openFiles();
    bridge.status().open();
    EarlySignals.begin().handOver(() -> reload(bridge, settings), endSignal::countDown);
    Signals.on("INT", endSignal::countDown);
    Thread.setDefaultUncaughtExceptionHandler(BridgeCommand::halt);
    Supervision supervision =
        new Supervision(
            System.getenv(),
            bridge.status().health()::line,
            bridge::isAlive,
            new SystemdNotify()::say,
            System::nanoTime);
    bridge.start();
    supervision.start();
    endSignal.await();
    Duration grace = hasSinkFailed ? Duration.ZERO : settings.shutdownGrace();
    supervision.stopping(grace);
    boolean settled = bridge.stop(grace);
    return settled && !hasSinkFailed ? 0 : 1;
  }

  /**
   * Logs the limits of this process that are too low for the configuration.
   *
   * @throws ConfigException if the bridge can't run at all, because it would otherwise be restarted
   *     forever
   */
  private void checkLimits(BridgeConfig settings) throws ConfigException {
    Findings findings = new Findings("limits");
    Checkup.resources(settings, ProcessLimits.own()).examine(findings);
    for (Finding finding : findings.list()) {
      String line =
          "%s: %s; change: %s".formatted(finding.what(), finding.consequence(), finding.remedy());
      switch (finding.severity()) {
        case OK -> log.info("{}", finding.what());
        case WARNING, NOT_CHECKED -> log.warn("{}", line);
        case PROBLEM ->
            throw ConfigException.at(config.path().toString(), 0, "", "can't be run here: " + line);
      }
    }
  }

  /**
   * Reopens the sink's file, and logs the changes that a restart would make or the reason why it
   * would fail.
   */
  private void reload(Bridge bridge, BridgeConfig running) {
    bridge.reopenSink();
    try {
      BridgeConfig now = config.load();
      ConfigOption.readFiles(now);
      List<String> changed = Differences.between(running, now);
      if (changed.isEmpty()) {
        log.info("reload: nothing in {} has changed since the start", config.path());
      } else {
        log.warn(
            "reload: {} of {} take effect when the bridge is restarted",
            String.join(", ", changed),
            config.path());
      }
    } catch (ConfigException e) {
      log.warn(
          "reload: this bridge goes on, but one that is restarted would end: {}",
          String.valueOf(e.getMessage()).replace("\n", "; "));
    }
  }

  /**
   * Ends the process immediately, because the bridge can't continue without one of its threads. Its
   * unacknowledged messages are redelivered.
   */
  private static void halt(Thread thread, Throwable failure) {
    log.error("thread {} failed: the bridge ends at once", thread.getName(), failure);
    Runtime.getRuntime().halt(3);
  }

  private void endAfterSinkFailure(String line) {
    log.error("{} This bridge ends; unsettled batches will be redelivered.", line);
    hasSinkFailed = true;
    endSignal.countDown();
  }
}
