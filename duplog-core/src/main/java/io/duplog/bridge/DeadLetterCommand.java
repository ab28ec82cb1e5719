package io.duplog.bridge;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.receive.DeadLetterQueue;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What could not be delivered: looks at it, and puts it back. */
@Command(
    name = "dead-letter",
    description =
        "List, show and replay what could not be delivered: bodies that are no batch, and messages"
            + " that the sink refuses for good.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class DeadLetterCommand {
  private static final int LOOK_DEFAULT = 100;
  private static final int LINE_LENGTH = 200;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Handles the dead letters of one queue. */
  private interface Task {
    void run(QueueSettings queue, DeadLetterQueue letters) throws IOException;
  }

  @Command(
      name = "list",
      description = "Say how many there are on each broker, and why.",
      mixinStandardHelpOptions = true)
  int list(
      @Option(names = "--config", required = true, paramLabel = "FILE") Path config,
      @Option(names = "--stream", description = "Only this one.") @Nullable String stream,
      @Option(names = "--most", description = "Most to name of each.", defaultValue = "100")
          int most)
      throws ConfigException {
    return each(
        load(config),
        stream,
        (queue, letters) -> {
          long depth = letters.depth();
          out().printf("%s: %d dead letters%n", queue, depth);
          if (depth > 0) {
            letters
                .look(most)
                .forEach(
                    entry ->
                        out()
                            .printf(
                                "  %4d  %,9d bytes  %s%n",
                                entry.number(), entry.body().length, entry.reason()));
          }
        });
  }

  @Command(
      name = "show",
      description = "Show what is in them, as far as it can be decoded.",
      mixinStandardHelpOptions = true)
  int show(
      @Option(names = "--config", required = true, paramLabel = "FILE") Path config,
      @Option(names = "--stream", description = "Only this one.") @Nullable String stream,
      @Option(names = "--number", description = "Only this one of list's.")
          @Nullable Integer number)
      throws ConfigException {
    BridgeConfig settings = load(config);
    return each(
        settings,
        stream,
        (queue, letters) -> {
          for (DeadLetterQueue.Entry entry : letters.look(number == null ? LOOK_DEFAULT : number)) {
            if (number == null || number == entry.number()) {
              out().printf("%s, dead letter %d: %s%n", queue, entry.number(), entry.reason());
              lines(entry, settings).forEach(line -> out().println("  " + line));
            }
          }
        });
  }

  @Command(
      name = "replay",
      description = "Put them back into the queue that they came from.",
      mixinStandardHelpOptions = true)
  int replay(
      @Option(names = "--config", required = true, paramLabel = "FILE") Path config,
      @Option(names = "--stream", description = "Only this one.") @Nullable String stream,
      @Option(names = "--number", description = "Only this one of list's.")
          @Nullable Integer number)
      throws ConfigException {
    return each(
        load(config),
        stream,
        (queue, letters) -> {
          int count = letters.replay(entry -> number == null || number == entry.number());
          out().printf("%s: %d put back%n", queue, count);
        });
  }

  private static BridgeConfig load(Path config) throws ConfigException {
    return ConfigLoader.ofSystem().load(config, BridgeConfig.class);
  }

  private int each(BridgeConfig settings, @Nullable String stream, Task task) {
    int failures = 0;
    int found = 0;
    for (QueueSettings queue : Settings.queues(settings)) {
      if (stream != null && !stream.equals(queue.stream())) {
        continue;
      }
      found++;
      try (DeadLetterQueue letters = DeadLetterQueue.open(queue)) {
        task.run(queue, letters);
      } catch (IOException e) {
        failures++;
        out().println("failed  " + e.getMessage());
      }
    }
    if (found == 0) {
      out()
          .println(
              "failed  no stream is named " + stream + "; there are " + settings.streamNames());
      failures++;
    }
    out().flush();
    return failures == 0 ? 0 : 1;
  }

  private static List<String> lines(DeadLetterQueue.Entry entry, BridgeConfig settings) {
    if (!entry.batch()) {
      return List.of(printable(entry.body(), 0, entry.body().length));
    }
    try {
      MessageBatch batch =
          new BatchDecoder(settings.limits().toBatchLimits())
              .decode(entry.body(), ContentEncoding.of(entry.contentEncoding()));
      return IntStream.range(0, batch.count())
          .mapToObj(i -> printable(batch.data(), batch.start(i), batch.end(i)))
          .toList();
    } catch (MalformedBatchException e) {
      return List.of(
          "(no batch: " + e.getMessage() + ")", printable(entry.body(), 0, entry.body().length));
    }
  }

  /** One line that harms no terminal, cut where it is long. */
  private static String printable(byte[] data, int start, int end) {
    int shown = Math.min(end, start + LINE_LENGTH);
    String text =
        new String(data, start, shown - start, StandardCharsets.UTF_8)
            .replaceAll("\\p{Cntrl}", "?");
    return shown < end ? text + "… (" + (end - start) + " bytes)" : text;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
