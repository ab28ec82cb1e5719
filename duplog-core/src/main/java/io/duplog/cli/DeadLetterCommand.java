package io.duplog.cli;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.Settings;
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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

  /** Handles the dead letters of one queue; {@code all} are those that can be reached. */
  private interface Task {
    void run(DeadLetterQueue letters, List<DeadLetterQueue> all) throws IOException;
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
    Set<String> listed = new HashSet<>();
    return each(
        load(config),
        stream,
        null,
        (letters, all) -> {
          long depth = letters.depth();
          List<DeadLetterQueue.Entry> entries = letters.look(most);
          List<DeadLetterQueue.Entry> fresh =
              entries.stream().filter(entry -> isFirst(entry, listed)).toList();
          out().println(letters.settings() + ": " + howMany(depth, entries.size(), fresh.size()));
          fresh.forEach(
              entry ->
                  out()
                      .printf(
                          "  %4d  %,9d bytes  %s%n",
                          entry.number(),
                          entry.body().length,
                          of(letters, entry) + entry.reason()));
        });
  }

  /**
   * @param looked of so many it is known which are copies
   */
  private static String howMany(long depth, int looked, int shown) {
    long copies = (long) looked - shown;
    if (depth > looked) {
      return "%d dead letters, copies included; %d of them are shown, from the first %d (--most)"
          .formatted(depth, shown, looked);
    }
    return "%d dead letters".formatted(depth - copies)
        + (copies == 0 ? "" : ", and copies of %d that are listed above".formatted(copies));
  }

  /** Most letters stand on two brokers. */
  private static boolean isFirst(DeadLetterQueue.Entry entry, Set<String> seen) {
    return entry.id() == null || seen.add(entry.id());
  }

  private static String of(DeadLetterQueue letters, DeadLetterQueue.Entry entry) {
    return entry.stream().equals(letters.settings().stream())
        ? ""
        : "of stream " + entry.stream() + ": ";
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
    Set<String> shown = new HashSet<>();
    return each(
        settings,
        stream,
        number,
        (letters, all) -> {
          long depth = letters.depth();
          List<DeadLetterQueue.Entry> entries =
              letters.look(number == null ? LOOK_DEFAULT : number);
          for (DeadLetterQueue.Entry entry : entries) {
            if (isFirst(entry, shown) && (number == null || number == entry.number())) {
              out()
                  .printf(
                      "%s, dead letter %d: %s%s%n",
                      letters.settings(), entry.number(), of(letters, entry), entry.reason());
              lines(entry, settings).forEach(line -> out().println("  " + line));
            }
          }
          if (number == null && depth > entries.size()) {
            out()
                .printf(
                    "%s: these are from the first %d of %d dead letters; --number shows another%n",
                    letters.settings(), entries.size(), depth);
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
    BridgeConfig settings = load(config);
    Set<String> replayed = new HashSet<>();
    return each(
        settings,
        stream,
        number,
        (letters, all) -> {
          List<@Nullable String> ids =
              letters.replay(
                  entry ->
                      (number == null || number == entry.number())
                          && isFirst(entry, replayed)
                          && home(entry, letters, all) != null,
                  entry -> Objects.requireNonNull(home(entry, letters, all)),
                  settings.limits().toBatchLimits());
          out().printf("%s: %d put back%n", letters.settings(), ids.size());
          for (DeadLetterQueue other : all) {
            other.remove(ids);
          }
        });
  }

  /** Where a letter came from; null, and said so, where that broker can't be reached. */
  private @Nullable DeadLetterQueue home(
      DeadLetterQueue.Entry entry, DeadLetterQueue here, List<DeadLetterQueue> all) {
    if (entry.stream().equals(here.settings().stream())) {
      return here;
    }
    for (DeadLetterQueue each : all) {
      if (each.settings().stream().equals(entry.stream())) {
        return each;
      }
    }
    out()
        .println(
            "left    dead letter %d of %s: the broker of its stream %s can't be reached"
                .formatted(entry.number(), here.settings(), entry.stream()));
    return null;
  }

  private static BridgeConfig load(Path config) throws ConfigException {
    return ConfigLoader.ofSystem().load(config, BridgeConfig.class);
  }

  /**
   * @param number where the task is about one letter: it is run on the queue that it is listed of
   */
  private int each(
      BridgeConfig settings, @Nullable String stream, @Nullable Integer number, Task task) {
    int failures = 0;
    List<DeadLetterQueue> all = new ArrayList<>();
    try {
      for (QueueSettings queue : Settings.queues(settings)) {
        try {
          all.add(DeadLetterQueue.open(queue));
        } catch (IOException e) {
          failures++;
          out().println("failed  " + e.getMessage() + "; copies there are left, replay them soon");
        }
      }
      List<DeadLetterQueue> chosen =
          all.stream()
              .filter(each -> stream == null || stream.equals(each.settings().stream()))
              .toList();
      if (number != null) {
        chosen = listing(number, chosen);
        failures += chosen.isEmpty() ? 1 : 0;
      }
      for (DeadLetterQueue letters : chosen) {
        try {
          task.run(letters, all);
        } catch (IOException e) {
          failures++;
          out().println("failed  " + e.getMessage());
        }
      }
    } finally {
      all.forEach(DeadLetterQueue::close);
    }
    if (stream != null && !Settings.streamOrder(settings).contains(stream)) {
      out()
          .println(
              "failed  no stream is named " + stream + "; there are " + settings.streamNames());
      failures++;
    }
    out().flush();
    return failures == 0 ? 0 : 1;
  }

  /**
   * The one queue that {@code list} shows this number of; none, and said so, where it shows none or
   * several.
   */
  private List<DeadLetterQueue> listing(int number, List<DeadLetterQueue> queues) {
    Set<String> listed = new HashSet<>();
    List<DeadLetterQueue> listing = new ArrayList<>();
    try {
      for (DeadLetterQueue letters : queues) {
        for (DeadLetterQueue.Entry entry : letters.look(Math.max(LOOK_DEFAULT, number))) {
          if (isFirst(entry, listed) && entry.number() == number) {
            listing.add(letters);
          }
        }
      }
    } catch (IOException e) {
      out().println("failed  " + e.getMessage());
      return List.of();
    }
    if (listing.size() == 1) {
      return listing;
    }
    out()
        .printf(
            listing.isEmpty()
                ? "failed  list shows no dead letter %d%n"
                : "failed  list shows several dead letters %d: name a --stream, or no --number%n",
            number);
    return List.of();
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
