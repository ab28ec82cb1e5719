package io.duplog.cli;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.Iterables;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigException;
import io.duplog.observe.Printable;
import io.duplog.process.Signals;
import io.duplog.receive.DeadLetterQueue;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog dead-letter}: lists, shows and replays messages that could not be
 * delivered.
 */
@Command(
    name = "dead-letter",
    description =
        "List, show and replay dead letters: messages that the sink refuses permanently, and bodies"
            + " that are not batches.",
    footerHeading = "Examples:%n",
    footer = {
      "  duplog dead-letter list --config /etc/duplog/duplog.yaml",
      "  duplog dead-letter show --config /etc/duplog/duplog.yaml --stream syslog-a --number 1",
      "  duplog dead-letter replay --config /etc/duplog/duplog.yaml"
    },
    synopsisSubcommandLabel = "COMMAND")
final class DeadLetterCommand {
  private static final int DEFAULT_MAX_ENTRIES = 100;
  private static final int MAX_LINE_LENGTH = 200;

  /** Options that choose the brokers whose dead letters a command handles. */
  static final class Brokers {
    @Mixin private ConfigOption config = new ConfigOption();

    @Option(
        names = "--stream",
        paramLabel = "STREAM",
        description = "Only dead letters of this stream.")
    private @Nullable String stream;

    @Option(
        names = "--queue",
        paramLabel = "QUEUE",
        description = "Only dead letters of this queue, such as duplog.1.")
    private @Nullable String queue;

    boolean chooses(QueueSettings settings) {
      return (stream == null || stream.equals(settings.stream()))
          && (queue == null || queue.equals(settings.queue()));
    }
  }

  /** Options that choose the brokers, and optionally a single dead letter. */
  static final class Choice {
    @Mixin private Brokers brokers = new Brokers();

    @Option(
        names = "--number",
        paramLabel = "N",
        description = "Only the dead letter with this number in the list.")
    private @Nullable Integer number;

    boolean takes(DeadLetterQueue.Entry entry) {
      return number == null || number == entry.number();
    }
  }

  /** Action on the dead letters of one queue. */
  private interface Task {
    void run(DeadLetterQueue letters, BatchLimits limits) throws IOException;
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Dead-letter queues of all available brokers. */
  private final List<DeadLetterQueue> openQueues = new ArrayList<>();

  /** Whether a signal has requested the end of this command. */
  private volatile boolean isEndRequested;

  /** Whether a dead letter was chosen whose original queue is unknown or unavailable. */
  private boolean areLettersLeft;

  /** Ids of dead letters that were already handled; most have a copy on a second broker. */
  private final Set<String> handledIds = new HashSet<>();

  @Command(
      name = "list",
      description = "Show the number of dead letters on each broker, and their reasons.",
      exitCodeListHeading = "Exit status:%n",
      exitCodeList = {
        "0:done",
        "1:a broker does not answer, or dead letters were left",
        "2:the configuration is wrong"
      },
      footerHeading = "Example:%n",
      footer = "  duplog dead-letter list --config /etc/duplog/duplog.yaml")
  int list(
      @Mixin Brokers brokers,
      @Option(
              names = "--most",
              paramLabel = "N",
              description = "List at most N of each queue (default: ${DEFAULT-VALUE}).",
              defaultValue = "100")
          int most)
      throws ConfigException {
    return runForEach(
        brokers,
        null,
        (letters, limits) -> {
          long depth = letters.depth();
          List<DeadLetterQueue.Entry> entries = letters.look(most);
          List<DeadLetterQueue.Entry> fresh =
              entries.stream().filter(entry -> isFirst(entry, handledIds)).toList();
          say(
              "%s: %s"
                  .formatted(
                      letters.settings(), describeCount(depth, entries.size(), fresh.size())));
          for (DeadLetterQueue.Entry entry : fresh) {
            say(
                "  %4d  %,9d bytes  %s"
                    .formatted(
                        entry.number(), entry.body().length, of(letters, entry) + entry.reason()));
          }
        });
  }

  /**
   * Describes the number of dead letters in a queue.
   *
   * @param readCount number of dead letters that were read; copies are known only among these
   * @param shownCount number of these that are not copies
   */
  private static String describeCount(long depth, int readCount, int shownCount) {
    long copies = (long) readCount - shownCount;
    if (depth > readCount) {
      return "%d dead letters, copies included; %d of them are shown, from the first %d (--most)"
          .formatted(depth, shownCount, readCount);
    }
    return "%d dead letters".formatted(depth - copies)
        + (copies == 0 ? "" : ", and copies of %d that are listed above".formatted(copies));
  }

  private static boolean isFirst(DeadLetterQueue.Entry entry, Set<String> handledIds) {
    return entry.id() == null || handledIds.add(entry.id());
  }

  private static String of(DeadLetterQueue letters, DeadLetterQueue.Entry entry) {
    return entry.stream().equals(letters.settings().stream())
        ? ""
        : "of stream " + entry.stream() + ": ";
  }

  @Command(
      name = "show",
      description = "Show the decodable contents of dead letters.",
      exitCodeListHeading = "Exit status:%n",
      exitCodeList = {
        "0:done",
        "1:a broker does not answer, or dead letters were left",
        "2:the configuration is wrong"
      },
      footerHeading = "Example:%n",
      footer = "  duplog dead-letter show --config /etc/duplog/duplog.yaml --number 1")
  int show(@Mixin Choice choice) throws ConfigException {
    Integer number = choice.number;
    return runForEach(
        choice.brokers,
        number,
        (letters, limits) -> {
          long depth = letters.depth();
          List<DeadLetterQueue.Entry> entries =
              letters.look(number == null ? DEFAULT_MAX_ENTRIES : number);
          for (DeadLetterQueue.Entry entry : entries) {
            if (isFirst(entry, handledIds) && choice.takes(entry)) {
              say(
                  "%s, dead letter %d: %s%s"
                      .formatted(
                          letters.settings(), entry.number(), of(letters, entry), entry.reason()));
              lines(entry, limits).forEach(line -> say("  %s".formatted(line)));
            }
          }
          if (number == null && depth > entries.size()) {
            say(
                "%s: these are from the first %d of %d dead letters; --number shows another"
                    .formatted(letters.settings(), entries.size(), depth));
          }
        });
  }

  @Command(
      name = "replay",
      description = {
        "Put dead letters back into the queue that they came from.",
        "A replay that was ended or that failed can be repeated."
      },
      exitCodeListHeading = "Exit status:%n",
      exitCodeList = {
        "0:done",
        "1:a broker does not answer, or dead letters were left",
        "2:the configuration is wrong"
      },
      footerHeading = "Example:%n",
      footer = "  duplog dead-letter replay --config /etc/duplog/duplog.yaml --stream syslog-a")
  int replay(@Mixin Choice choice) throws ConfigException {
    Signals.on("INT", () -> isEndRequested = true);
    Signals.on("TERM", () -> isEndRequested = true);
    int status =
        runForEach(
            choice.brokers,
            choice.number,
            (letters, limits) -> {
              ChosenLetters chosen = new ChosenLetters(choice, letters);
              try {
                letters.replay(
                    chosen, limits, openQueues.stream().filter(each -> each != letters).toList());
              } finally {
                say("%s: %d put back".formatted(letters.settings(), chosen.putBack));
              }
            });
    if (isEndRequested) {
      say("ended before all were put back: replay again to go on");
    }
    return isEndRequested || areLettersLeft ? 1 : status;
  }

  /** The dead letters of one queue that are to be put back. */
  private final class ChosenLetters implements DeadLetterQueue.Replay {
    private final Choice choice;
    private final DeadLetterQueue letters;
    private int putBack;

    ChosenLetters(Choice choice, DeadLetterQueue letters) {
      this.choice = choice;
      this.letters = letters;
    }

    @Override
    public boolean chooses(DeadLetterQueue.Entry entry) {
      return choice.takes(entry)
          && (entry.id() == null || !handledIds.contains(entry.id()))
          && find(entry) != null;
    }

    @Override
    public DeadLetterQueue home(DeadLetterQueue.Entry entry) {
      return Objects.requireNonNull(find(entry));
    }

    /**
     * Finds a dead letter's original queue. Returns null and prints a message if the dead letter's
     * stream is not configured or its broker is unavailable.
     */
    private @Nullable DeadLetterQueue find(DeadLetterQueue.Entry entry) {
      for (DeadLetterQueue each : Iterables.concat(List.of(letters), openQueues)) {
        if (each.settings().stream().equals(entry.stream())) {
          return each;
        }
      }
      say(
          "left    dead letter %d of %s: no stream of this file is named %s, or its broker can't be reached"
              .formatted(entry.number(), letters.settings(), entry.stream()));
      areLettersLeft = true;
      return null;
    }

    @Override
    public void putBack(@Nullable String id) {
      putBack++;
      if (id != null) {
        handledIds.add(id);
      }
    }

    @Override
    public boolean isOver() {
      return isEndRequested;
    }
  }

  /**
   * Runs a task on every chosen queue.
   *
   * @param number a dead letter's number in the list, or null; if there is a number, only the queue
   *     with that dead letter is handled
   * @return the exit status
   */
  private int runForEach(Brokers brokers, @Nullable Integer number, Task task)
      throws ConfigException {
    BridgeConfig settings = brokers.config.load();
    String stream = brokers.stream;
    List<QueueSettings> queues = settings.queues();
    int failures = 0;
    try {
      for (QueueSettings queue : queues) {
        try {
          openQueues.add(DeadLetterQueue.open(queue));
        } catch (IOException e) {
          failures++;
          say("failed  %s; copies there are left, replay them soon".formatted(e.getMessage()));
        }
      }
      List<DeadLetterQueue> chosen =
          openQueues.stream().filter(each -> brokers.chooses(each.settings())).toList();
      if (number != null) {
        chosen = findListed(number, chosen);
        failures += chosen.isEmpty() ? 1 : 0;
      }
      for (DeadLetterQueue letters : chosen) {
        try {
          task.run(letters, settings.limits().toBatchLimits());
        } catch (IOException e) {
          failures++;
          say("failed  %s".formatted(e.getMessage()));
        }
      }
    } finally {
      openQueues.forEach(DeadLetterQueue::close);
    }
    if (stream != null && !settings.streamOrder().contains(stream)) {
      say("failed  no stream is named %s; there are %s".formatted(stream, settings.streamNames()));
      failures++;
    }
    if (brokers.queue != null
        && queues.stream().noneMatch(queue -> queue.queue().equals(brokers.queue))) {
      say(
          "failed  no queue is named %s; there are %s"
              .formatted(
                  brokers.queue,
                  queues.stream().map(QueueSettings::queue).distinct().collect(joining(", "))));
      failures++;
    }
    return failures == 0 ? 0 : 1;
  }

  /**
   * Returns the only queue for which {@code list} shows a dead letter with this number. Returns an
   * empty list and prints a message if there is no such queue or more than one.
   */
  private List<DeadLetterQueue> findListed(int number, List<DeadLetterQueue> queues) {
    Set<String> listed = new HashSet<>();
    List<DeadLetterQueue> matches = new ArrayList<>();
    try {
      for (DeadLetterQueue letters : queues) {
        for (DeadLetterQueue.Entry entry : letters.look(Math.max(DEFAULT_MAX_ENTRIES, number))) {
          if (isFirst(entry, listed) && entry.number() == number) {
            matches.add(letters);
          }
        }
      }
    } catch (IOException e) {
      say("failed  %s".formatted(e.getMessage()));
      return List.of();
    }
    if (matches.size() == 1) {
      return matches;
    }
    say(
        (matches.isEmpty()
                ? "failed  list shows no dead letter %d"
                : "failed  list shows several dead letters %d: add --stream or --queue, or leave out --number")
            .formatted(number));
    return List.of();
  }

  private static List<String> lines(DeadLetterQueue.Entry entry, BatchLimits limits) {
    if (!entry.batch()) {
      return List.of(printable(entry.body(), 0, entry.body().length));
    }
    try {
      MessageBatch batch =
          new BatchDecoder(limits)
              .decode(entry.body(), ContentEncoding.of(entry.contentEncoding()));
      return IntStream.range(0, batch.count())
          .boxed()
          .flatMap(
              i ->
                  Stream.concat(
                      Stream.of(printable(batch.data(), batch.start(i), batch.end(i))),
                      metadata(batch, i).stream()))
          .toList();
    } catch (MalformedBatchException e) {
      return List.of(
          "(no batch: " + e.getMessage() + ")", printable(entry.body(), 0, entry.body().length));
    }
  }

  /** Returns the line that shows the metadata of an event, or an empty list if it has none. */
  private static List<String> metadata(MessageBatch batch, int message) {
    if (batch.form() != MessageForm.EVENT) {
      return List.of();
    }
    String words =
        batch.eventHead(message).parts().entrySet().stream()
            .map(part -> part.getKey() + "=" + part.getValue())
            .collect(joining(" "));
    byte[] bytes = words.getBytes(StandardCharsets.UTF_8);
    return words.isEmpty() ? List.of() : List.of("  " + printable(bytes, 0, bytes.length));
  }

  /** Formats bytes as one line without control characters. Long lines are cut. */
  private static String printable(byte[] data, int start, int end) {
    int shown = Math.min(end, start + MAX_LINE_LENGTH);
    String text = Printable.of(new String(data, start, shown - start, StandardCharsets.UTF_8));
    return shown < end ? text + "… (" + (end - start) + " bytes)" : text;
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
  }
}
