package io.duplog.cli;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.config.ConfigException;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.StreamSet;
import io.duplog.dedup.redis.RedisStore;
import io.duplog.dedup.redis.RedisStreams;
import io.duplog.receive.QueueProbe;
import io.duplog.receive.QueueSettings;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog streams}: lists the streams on which the bridges agree, or removes one
 * of them.
 */
@Command(
    name = "streams",
    description = "List the streams that the bridges merge, or remove one.",
    footerHeading = "Examples:%n",
    footer = {
      "  duplog streams list --config /etc/duplog/duplog.yaml",
      "  duplog streams remove --config /etc/duplog/duplog.yaml syslog-c"
    },
    synopsisSubcommandLabel = "COMMAND")
final class StreamsCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Action on the streams in Redis that returns the command's exit status. */
  private interface Task {
    int run(BridgeConfig config, RedisStreams streams) throws LedgerUnavailableException;
  }

  @Command(
      name = "list",
      description = "List the streams that the bridges agreed on in Redis.",
      exitCodeListHeading = "Exit status:%n",
      exitCodeList = {
        "0:done",
        "1:a server does not answer, or the stream is still in use",
        "2:the configuration is wrong"
      },
      footerHeading = "Example:%n",
      footer = "  duplog streams list --config /etc/duplog/duplog.yaml")
  int list(@Mixin ConfigOption config) throws ConfigException {
    return with(config, this::list);
  }

  private int list(BridgeConfig settings, RedisStreams streams) throws LedgerUnavailableException {
    StreamSet agreed = streams.agreed();
    if (agreed == null) {
      say(
          "no bridge has begun to merge streams into %s"
              .formatted(settings.dedup().redis().prefix()));
      return 0;
    }
    agreed.merged().forEach(stream -> say("%s  merged".formatted(stream)));
    for (StreamSet.Slot slot : agreed.removed()) {
      Instant removed = Instant.ofEpochMilli(Objects.requireNonNull(slot.removedAt()));
      say(
          "%s  removed; last batch judged at %s; its copies still count for one window"
              .formatted(slot.name(), removed.truncatedTo(ChronoUnit.SECONDS)));
    }
    streams
        .differing()
        .forEach(
            (part, merged) ->
                say(
                    "part %d of the cluster still merges %s; run 'duplog streams remove' again"
                        .formatted(part, merged.isEmpty() ? "none" : String.join(", ", merged))));
    return 0;
  }

  @Command(
      name = "remove",
      description = {
        "Remove a stream, so that no bridge waits for its copies.",
        "Before: senders must no longer use its node, and its queue must be empty. Afterwards:"
            + " delete the stream from each bridge's configuration, because a bridge that starts"
            + " with it adds it again."
      },
      exitCodeListHeading = "Exit status:%n",
      exitCodeList = {
        "0:done",
        "1:a server does not answer, or the stream is still in use",
        "2:the configuration is wrong"
      },
      footerHeading = "Example:%n",
      footer = "  duplog streams remove --config /etc/duplog/duplog.yaml syslog-c")
  int remove(
      @Mixin ConfigOption config,
      @Option(names = "--force", description = "Remove it even if batches wait in its queue.")
          boolean force,
      @Parameters(paramLabel = "STREAM", description = "Name of the stream.") String stream)
      throws ConfigException {
    return with(
        config,
        (settings, streams) ->
            !force && isWaitedFor(settings, stream) ? 1 : remove(settings, streams, stream));
  }

  private int remove(BridgeConfig settings, RedisStreams streams, String stream)
      throws LedgerUnavailableException {
    switch (streams.remove(stream)) {
      case REMOVED ->
          say(
              "ok      %s is not merged any more: take it out of each bridge's configuration"
                  .formatted(stream));
      case GONE -> say("ok      %s was removed before".formatted(stream));
      case UNKNOWN -> {
        StreamSet agreed = streams.agreed();
        say(
            "failed  no stream is named %s; there are %s"
                .formatted(stream, agreed == null ? "none" : String.join(", ", agreed.merged())));
        return 1;
      }
      case TOO_FEW -> {
        say("failed  without %s there would be nothing left to merge".formatted(stream));
        return 1;
      }
    }
    return removeFromSpare(settings, stream);
  }

  /** Removes the stream from the spare Redis, too, if there is one; returns the exit status. */
  private int removeFromSpare(BridgeConfig settings, String stream) {
    RedisStore spare = settings.spare();
    if (spare == null) {
      return 0;
    }
    try (RedisStreams streams = new RedisStreams(spare, settings.dedup().window())) {
      streams.remove(stream);
      return 0;
    } catch (LedgerUnavailableException e) {
      say(
          "failed  dedup.spare: %s; run this command again when it is back"
              .formatted(e.getMessage()));
      return 1;
    }
  }

  /** Whether batches still wait in a queue of the stream; prints a line if so. */
  private boolean isWaitedFor(BridgeConfig settings, String stream) {
    for (QueueSettings queue : settings.queues()) {
      if (!queue.stream().equals(stream)) {
        continue;
      }
      try (QueueProbe probe = QueueProbe.open(queue)) {
        if (probe.queue() instanceof QueueProbe.State.AsDeclared state && state.ready() > 0) {
          say(
              ("failed  %d batches wait in %s: bridges have to read them first, or they are"
                      + " delivered twice; --force removes the stream now")
                  .formatted(state.ready(), queue));
          return true;
        }
      } catch (IOException e) {
        say("unknown %s: can't tell whether batches wait there".formatted(e.getMessage()));
      }
    }
    return false;
  }

  private int with(ConfigOption config, Task task) throws ConfigException {
    BridgeConfig settings = config.load();
    if (settings.dedup().store() != DedupConfig.Store.REDIS) {
      say("failed  dedup.store is memory: a single bridge merges what it is configured for");
      return 1;
    }
    try (RedisStreams streams = new RedisStreams(settings.redis(), settings.dedup().window())) {
      return task.run(settings, streams);
    } catch (LedgerUnavailableException e) {
      say("failed  %s".formatted(e.getMessage()));
      return 1;
    }
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
  }
}
