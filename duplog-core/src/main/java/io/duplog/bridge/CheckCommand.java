package io.duplog.bridge;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.RedisLedger;
import io.duplog.dedup.RedisSettings;
import io.duplog.deliver.SinkException;
import io.duplog.receive.QueueConsumer;
import io.duplog.receive.QueueSettings;
import io.duplog.status.ListenCheck;
import io.duplog.status.StatusException;
import io.duplog.wire.CompressionTrial;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Validates the configuration, tries the compression, and every connection that it names. */
@Command(
    name = "check",
    description = "Validate the configuration and try every connection.",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  @Option(names = "--config", required = true, paramLabel = "FILE", description = "duplog.yaml")
  private Path config = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  private int failures;

  private interface Attempt {
    void run() throws IOException, SinkException, LedgerUnavailableException, StatusException;
  }

  @Override
  public Integer call() throws ConfigException {
    BridgeConfig settings = ConfigLoader.ofSystem().load(config, BridgeConfig.class);
    attempt("configuration " + config, () -> {});
    attempt("compression", CompressionTrial::run);
    for (QueueSettings queue : Settings.queues(settings)) {
      attempt(queue.toString(), () -> QueueConsumer.check(queue));
    }
    if (settings.dedup().store() == DedupConfig.Store.REDIS) {
      attempt("redis", () -> checkRedis(settings, Settings.redisSettings(settings)));
      RedisSettings spare = Settings.spareSettings(settings);
      if (spare != null) {
        attempt("spare redis", () -> checkRedis(settings, spare));
      }
    }
    if (!settings.status().isOff()) {
      attempt(
          "status.listen " + settings.status().listen(),
          () -> ListenCheck.run(settings.status(), settings.name()));
    }
    attempt("sink " + settings.sink().type(), () -> Settings.checkSink(settings));
    return failures == 0 ? 0 : 1;
  }

  private static void checkRedis(BridgeConfig settings, RedisSettings where)
      throws LedgerUnavailableException {
    List<RedisLedger> parts = Settings.redisLedgers(settings, where);
    try {
      for (RedisLedger part : parts) {
        part.probe();
      }
    } finally {
      parts.forEach(RedisLedger::close);
    }
  }

  private void attempt(String what, Attempt attempt) {
    PrintWriter out = spec.commandLine().getOut();
    try {
      attempt.run();
      out.println("ok      " + what);
    } catch (IOException | SinkException | LedgerUnavailableException | StatusException e) {
      failures++;
      out.println("failed  " + e.getMessage());
    }
    out.flush();
  }
}
