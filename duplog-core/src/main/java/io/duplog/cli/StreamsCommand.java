package io.duplog.cli;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.bridge.settings.Settings;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.StreamSet;
import io.duplog.dedup.redis.RedisSettings;
import io.duplog.dedup.redis.RedisStreams;
import io.duplog.receive.QueueProbe;
import io.duplog.receive.QueueSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The streams that the bridges agree on: shows them, and ends one. */
@Command(
    name = "streams",
    description = "Show the streams that all bridges merge, and end one of them.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class StreamsCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  private interface Task {
    int run(BridgeConfig config, RedisStreams streams) throws LedgerUnavailableException;
  }

  @Command(
      name = "list",
      description = "Show what the bridges agree on.",
      mixinStandardHelpOptions = true)
  int list(@Option(names = "--config", required = true, paramLabel = "FILE") Path config)
      throws ConfigException {
    return with(config, (settings, streams) -> list(settings, streams));
  }

  private int list(BridgeConfig settings, RedisStreams streams) throws LedgerUnavailableException {
    StreamSet agreed = streams.agreed();
    if (agreed == null) {
      out()
          .println(
              "no bridge has begun to merge streams into " + settings.dedup().redis().prefix());
      return 0;
    }
    agreed.merged().forEach(stream -> out().println(stream + "  merged"));
    for (StreamSet.Slot slot : agreed.removed()) {
      Instant removed = Instant.ofEpochMilli(Objects.requireNonNull(slot.removedAt()));
      out()
          .println(
              slot.name()
                  + "  removed, or judged last, at "
                  + removed.truncatedTo(ChronoUnit.SECONDS)
                  + ": what it brought counts for another window");
    }
    streams
        .differing()
        .forEach(
            (part, merged) ->
                out()
                    .println(
                        "part %d of the cluster merges %s: what was removed is to be removed again"
                            .formatted(
                                part, merged.isEmpty() ? "none" : String.join(", ", merged))));
    return 0;
  }

  @Command(
      name = "remove",
      description = {
        "End a stream: no bridge waits for what it would bring. Senders must not use its node any"
            + " more, and its queue must be empty. Then take it out of each bridge's configuration;"
            + " a bridge that begins with it adds it again."
      },
      mixinStandardHelpOptions = true)
  int remove(
      @Option(names = "--config", required = true, paramLabel = "FILE") Path config,
      @Option(names = "--force", description = "Even if batches wait in its queue.") boolean force,
      @Parameters(paramLabel = "STREAM") String stream)
      throws ConfigException {
    return with(config, (settings, streams) -> remove(settings, streams, stream, force));
  }

  private int remove(BridgeConfig settings, RedisStreams streams, String stream, boolean force)
      throws LedgerUnavailableException {
    if (!force) {
      String waiting = waiting(settings, stream);
      if (waiting != null) {
        out().println("failed  " + waiting);
        return 1;
      }
    }
    switch (streams.remove(stream)) {
      case REMOVED ->
          out()
              .println(
                  "ok      "
                      + stream
                      + " is not merged any more: take it out of each bridge's configuration");
      case GONE -> out().println("ok      " + stream + " was removed before");
      case UNKNOWN -> {
        StreamSet agreed = streams.agreed();
        out()
            .println(
                "failed  no stream is named "
                    + stream
                    + "; there are "
                    + (agreed == null ? "none" : String.join(", ", agreed.merged())));
        return 1;
      }
      case TOO_FEW -> {
        out().println("failed  without " + stream + " there would be nothing left to merge");
        return 1;
      }
    }
    return removeFromSpare(settings, stream);
  }

  /** The bridges keep their leases there too, so that it has the same streams. */
  private int removeFromSpare(BridgeConfig settings, String stream) {
    RedisSettings spare = Settings.spareSettings(settings);
    if (spare == null) {
      return 0;
    }
    try (RedisStreams streams = new RedisStreams(spare, settings.dedup().window())) {
      streams.remove(stream);
      return 0;
    } catch (LedgerUnavailableException e) {
      out().println("failed  dedup.spare: " + e.getMessage() + ": say it again when it is back");
      return 1;
    }
  }

  /** Why it is too early; null where nothing is known that speaks against it. */
  private @Nullable String waiting(BridgeConfig settings, String stream) {
    for (QueueSettings queue : Settings.queues(settings)) {
      if (!queue.stream().equals(stream)) {
        continue;
      }
      try (QueueProbe probe = QueueProbe.open(queue)) {
        if (probe.queue() instanceof QueueProbe.State.AsDeclared state && state.ready() > 0) {
          return state.ready()
              + " batches wait in "
              + queue
              + ": bridges have to read them first, or they are delivered twice; --force removes"
              + " the stream now";
        }
      } catch (IOException e) {
        out().println("unknown " + e.getMessage() + ": what waits there can't be told");
      }
    }
    return null;
  }

  private int with(Path config, Task task) throws ConfigException {
    BridgeConfig settings = ConfigLoader.ofSystem().load(config, BridgeConfig.class);
    if (settings.dedup().store() != DedupConfig.Store.REDIS) {
      out()
          .println(
              "failed  dedup.store is memory: a single bridge merges what it is configured for");
      return 1;
    }
    try (RedisStreams streams =
        new RedisStreams(Settings.redisSettings(settings), settings.dedup().window())) {
      return task.run(settings, streams);
    } catch (LedgerUnavailableException e) {
      out().println("failed  " + e.getMessage());
      return 1;
    } finally {
      out().flush();
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
