package io.duplog.cli;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.bridge.settings.IgnoredKeys;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.bridge.settings.SinkConfig;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.redis.RedisLedger;
import io.duplog.dedup.redis.RedisStore;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.route.SenderZone;
import io.duplog.doctor.Check;
import io.duplog.doctor.Finding;
import io.duplog.doctor.Findings;
import io.duplog.observe.Printable;
import io.duplog.observe.ProcessLimits;
import io.duplog.receive.QueueProbe;
import io.duplog.receive.QueueSettings;
import io.duplog.status.ListenCheck;
import io.duplog.status.StatusException;
import io.duplog.wire.CompressionTrial;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command that validates the configuration, and tries compression and each connection. */
@Command(name = "check", description = "Validate the configuration and try every connection.")
final class CheckCommand implements Callable<Integer> {
  @Mixin private ConfigOption config = new ConfigOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  private int failures;

  private interface Attempt {
    void run() throws IOException, SinkException, LedgerUnavailableException, StatusException;
  }

  @Override
  public Integer call() throws ConfigException {
    BridgeConfig settings = config.load();
    attempt("configuration " + config.path(), () -> {});
    IgnoredKeys.of(settings, ConfigLoader.lines(config.path()))
        .forEach(line -> say("warning", line));
    ConfigOption.readFiles(settings);
    attempt("compression", CompressionTrial::run);
    examine(Checkup.resources(settings, ProcessLimits.ofBridge()));
    boolean connected = true;
    for (QueueSettings queue : settings.queues()) {
      connected &= isReadable(queue);
    }
    if (connected) {
      examine(Checkup.brokers(settings, true));
    }
    if (settings.dedup().store() == DedupConfig.Store.REDIS) {
      connected = attempt(settings, "redis", settings.redis());
      RedisStore spare = settings.spare();
      if (spare != null) {
        connected &= attempt(settings, "spare redis", spare);
      }
      if (connected) {
        Checkup.agreements(settings).forEach(this::examine);
      }
    }
    if (!settings.status().isOff()) {
      attempt(
          "status.listen " + settings.status().listen(),
          () -> ListenCheck.run(settings.status(), settings.name()));
    }
    attempt("sink " + settings.sink().type(), settings.sink()::check);
    if (settings.sink().type() == SinkConfig.Type.HEC && settings.sink().hec() != null) {
      tellZone(settings.sink().hec().routing().timeZone());
    }
    return failures == 0 ? 0 : 1;
  }

  void tellZone(SenderZone zone) {
    say("ok", "zone of times that name none: " + zone.id());
    if (zone.hazard() != null) {
      say("warning", zone.hazard());
    }
  }

  private boolean isReadable(QueueSettings queue) {
    try {
      if (QueueProbe.check(queue)) {
        say("ok", queue.toString());
      } else {
        say(
            "warning",
            queue
                + " is not there: a bridge declares it, and nothing comes from it until a shim"
                + " publishes to it; compare the shim's broker.queue and virtual-host");
      }
      return true;
    } catch (IOException e) {
      fail(e);
      return false;
    }
  }

  private boolean attempt(BridgeConfig settings, String what, RedisStore where) {
    return attempt(what + " " + where.address(), () -> checkRedis(settings, where));
  }

  private static void checkRedis(BridgeConfig settings, RedisStore where)
      throws LedgerUnavailableException {
    List<RedisLedger> parts = LedgerFactory.parts(settings, where);
    try {
      for (RedisLedger part : parts) {
        part.probe();
        String hazard = part.unsafePolicy();
        if (hazard != null) {
          throw new LedgerUnavailableException(hazard, null, false);
        }
      }
    } finally {
      parts.forEach(RedisLedger::close);
    }
  }

  private void examine(Check check) {
    Findings findings = new Findings(check.subject());
    check.examine(findings);
    for (Finding finding : findings.list()) {
      String line = finding.what();
      if (!finding.consequence().isEmpty()) {
        line += ": " + finding.consequence();
      }
      if (!finding.remedy().isEmpty()) {
        line += "; change: " + finding.remedy();
      }
      switch (finding.severity()) {
        case OK -> say("ok", line);
        case WARNING, NOT_CHECKED -> say("warning", line);
        case PROBLEM -> {
          failures++;
          say("failed", line);
        }
      }
    }
  }

  private boolean attempt(String what, Attempt attempt) {
    try {
      attempt.run();
      say("ok", what);
      return true;
    } catch (IOException | SinkException | LedgerUnavailableException | StatusException e) {
      fail(e);
      return false;
    }
  }

  private void fail(Exception e) {
    failures++;
    say("failed", String.valueOf(e.getMessage()));
  }

  private void say(String how, String line) {
    spec.commandLine().getOut().println("%-7s %s".formatted(how, Printable.of(line)));
  }
}
