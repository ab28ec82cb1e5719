package io.duplog.ingest.publish;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.observe.PollingThread;
import io.duplog.observe.RecurringWarning;
import io.duplog.wire.Heartbeat.Losses;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what this node loses before the shim: datagrams that the kernel drops, and messages that
 * rsyslog's queues discard. Counts from its own start, and its numbers only grow. A thread of its
 * own reads the files, because a disk that hangs must not hold up what is published.
 *
 * @see "docs/decisions/lag.md#where-it-was-lost"
 */
final class LossReader {
  private static final Logger log = LoggerFactory.getLogger(LossReader.class);

  /** Most bytes of the statistics that are read, from the end. */
  private static final int TAIL_BYTES = 256 * 1024;

  /** Name of a queue, in the JSON of impstats or in its legacy format. */
  private static final Pattern QUEUE =
      Pattern.compile("(?:\"name\":\\s*\"[^\"]*\"|: .+: origin=core\\.queue)");

  private static final Pattern DISCARDED =
      Pattern.compile("discarded[.!](?:full|nf)\"?[=:]\\s*(\\d+)");

  /** Column of the socket's inode in the kernel's table, which another socket never has. */
  private static final int INODE = 9;

  private final List<Path> sockets;
  private final int port;
  private final @Nullable Path impstats;
  private final Count droppedCount = new Count("the kernel's table of UDP sockets", true);
  private final Count discardedCount = new Count("heartbeat.impstats", false);
  private volatile Losses lastLosses = Losses.NONE_KNOWN;

  /** The sum of counters that may begin again, vanish or come back, each by its own. */
  private static final class Count {
    private final Map<String, Long> values = new HashMap<>();
    private final RecurringWarning trouble;
    private final boolean newOnesBeginAtZero;
    private long sum = Losses.UNKNOWN;

    /**
     * @param newOnesBeginAtZero whether a counter that was not there before has only counted since.
     *     A socket's has. A queue may be old and only now be named: its report may have been half
     *     written, or too far from the file's end.
     */
    Count(String source, boolean newOnesBeginAtZero) {
      this.newOnesBeginAtZero = newOnesBeginAtZero;
      trouble = new RecurringWarning(log, source, System::nanoTime);
    }

    /**
     * Adds what the counters have grown by. The first reading tells nothing, and neither does the
     * first one of a queue. A counter that has become less began again.
     */
    long read(Map<String, Long> now) {
      if (!now.isEmpty()) {
        boolean first = sum < 0;
        sum = Math.max(0, sum);
        for (Map.Entry<String, Long> each : now.entrySet()) {
          long value = each.getValue();
          long unknown = !first && newOnesBeginAtZero ? 0 : value;
          long before = values.getOrDefault(each.getKey(), unknown);
          sum += value < before ? value : value - before;
        }
        sum = Math.min(sum, Losses.MAX);
        values.putAll(now);
      }
      trouble.recovered();
      return sum;
    }

    long unreadable(Path source, Exception cause) {
      trouble.occurred(
          "%s can't be read (%s): what is lost there is not known".formatted(source, cause));
      return sum;
    }
  }

  /**
   * @param sockets tables of UDP sockets in the kernel's format, as /proc/net/udp
   * @param port the port on which rsyslog receives; 0 for none
   * @param impstats file with rsyslog's statistics; null for none
   */
  LossReader(List<Path> sockets, int port, @Nullable Path impstats) {
    this.sockets = sockets;
    this.port = port;
    this.impstats = impstats;
  }

  /** Begins to read, if there are heartbeats that want it; the thread ends with the process. */
  static Supplier<Losses> watched(HeartbeatSettings settings) {
    if (settings.interval().isZero()) {
      return () -> Losses.NONE_KNOWN;
    }
    String file = settings.impstats();
    LossReader losses =
        new LossReader(
            // Unlike /proc/net, it is there below a /proc that shows processes only.
            List.of(Path.of("/proc/self/net/udp"), Path.of("/proc/self/net/udp6")),
            settings.udpPort(),
            file == null ? null : Path.of(file));
    new PollingThread("node-losses", settings.interval(), losses::read).start();
    return () -> losses.lastLosses;
  }

  /** Reads both sources once, and returns what is known; for one thread at a time. */
  Losses read() {
    lastLosses =
        new Losses(
            port == 0 ? Losses.UNKNOWN : readSockets(),
            impstats == null ? Losses.UNKNOWN : readQueues(impstats));
    return lastLosses;
  }

  /** Counts the drops of all sockets that are bound to the port. */
  private long readSockets() {
    String suffix = ":%04X".formatted(port);
    Map<String, Long> drops = new HashMap<>();
    for (Path table : sockets) {
      if (!Files.exists(table)) {
        continue; // there is no udp6 if IPv6 is off
      }
      try (Stream<String> lines = Files.lines(table)) {
        lines
            .filter(line -> line.contains(suffix))
            .map(line -> line.trim().split("\\s+", -1))
            .filter(fields -> fields.length > INODE && fields[1].endsWith(suffix))
            .forEach(fields -> drops.put(fields[INODE], Long.parseLong(fields[fields.length - 1])));
      } catch (IOException | RuntimeException e) {
        return droppedCount.unreadable(table, e);
      }
    }
    return droppedCount.read(drops);
  }

  /** Counts what each queue had discarded when it was last reported. */
  private long readQueues(Path file) {
    Map<String, Long> queues = new HashMap<>();
    try {
      String text = tail(file);
      // What rsyslog is writing may be half a line.
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1)) {
        Matcher name = QUEUE.matcher(line);
        Matcher count = DISCARDED.matcher(line);
        long sum = 0;
        boolean found = false;
        while (count.find()) {
          sum = Math.min(sum + Long.parseLong(count.group(1)), Losses.MAX);
          found = true;
        }
        if (found && name.find()) {
          queues.put(name.group(), sum);
        }
      }
    } catch (IOException | RuntimeException e) {
      return discardedCount.unreadable(file, e);
    }
    return discardedCount.read(queues);
  }

  private static String tail(Path file) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      open.seek(Math.max(0, open.length() - TAIL_BYTES));
      byte[] bytes = new byte[TAIL_BYTES];
      int read = Math.max(0, open.read(bytes));
      return new String(bytes, 0, read, ISO_8859_1);
    }
  }
}
