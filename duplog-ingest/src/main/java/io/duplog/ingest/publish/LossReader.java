package io.duplog.ingest.publish;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.observe.PollingThread;
import io.duplog.observe.Trouble;
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
 * Counts the messages that the node loses before the shim gets them: dropped by the kernel or
 * discarded by rsyslog. The counts start at zero when the shim starts, and only grow. A separate
 * thread reads the files, because a hanging disk must not delay publishing. Not thread-safe.
 *
 * @see "docs/decisions/lag.md#where-it-was-lost"
 */
final class LossReader {
  private static final Logger log = LoggerFactory.getLogger(LossReader.class);

  /** Maximum number of bytes that are read from the end of the statistics file. */
  private static final int TAIL_BYTES = 256 * 1024;

  /** Matches the name of a queue in the statistics of impstats, in JSON or in the legacy format. */
  private static final Pattern QUEUE_NAME =
      Pattern.compile("(?:\"name\":\\s*\"[^\"]*\"|: .+: origin=core\\.queue)");

  private static final Pattern DISCARDED_COUNT =
      Pattern.compile("discarded[.!](?:full|nf)\"?[=:]\\s*(\\d+)");

  /** Column of the socket's inode in the kernel's table. An inode identifies a socket. */
  private static final int INODE_COLUMN = 9;

  private final List<Path> socketTables;
  private final int port;
  private final @Nullable Path impstats;
  private final CounterSum droppedCount = new CounterSum("the kernel's table of UDP sockets", true);
  private final CounterSum discardedCount = new CounterSum("heartbeat.impstats", false);
  private volatile Losses lastLosses = Losses.NONE_KNOWN;

  /** Sums counters that may be reset, disappear or reappear. */
  private static final class CounterSum {
    private final Map<String, Long> lastValues = new HashMap<>();
    private final Trouble readWarning;
    private final boolean newCountersStartAtZero;
    private long sum = Losses.UNKNOWN;

    /**
     * @param newCountersStartAtZero whether a counter that appears later has started at zero since
     *     the previous reading. Sockets have such counters. A queue may be older: its previous
     *     report may have been half-written, or too far from the end of the file.
     */
    CounterSum(String source, boolean newCountersStartAtZero) {
      this.newCountersStartAtZero = newCountersStartAtZero;
      readWarning = new Trouble(log, source, System::nanoTime);
    }

    /**
     * Adds the growth of the counters since the previous reading. The first reading, and the first
     * reading of a queue, add nothing. A counter that has decreased was reset to zero.
     */
    long read(Map<String, Long> newValues) {
      if (!newValues.isEmpty()) {
        boolean isFirstReading = sum < 0;
        sum = Math.max(0, sum);
        for (Map.Entry<String, Long> each : newValues.entrySet()) {
          long value = each.getValue();
          long startValue = !isFirstReading && newCountersStartAtZero ? 0 : value;
          long lastValue = lastValues.getOrDefault(each.getKey(), startValue);
          sum += value < lastValue ? value : value - lastValue;
        }
        sum = Math.min(sum, Losses.MAX);
        lastValues.putAll(newValues);
      }
      readWarning.recovered();
      return sum;
    }

    long unreadable(Path source, Exception cause) {
      readWarning.occurred(
          "%s can't be read (%s): what is lost there is not known".formatted(source, cause));
      return sum;
    }
  }

  /**
   * @param socketTables files with the kernel's tables of UDP sockets, such as /proc/net/udp
   * @param port UDP port on which rsyslog receives, or 0 for none
   * @param impstats file with rsyslog's statistics, or null for none
   */
  LossReader(List<Path> socketTables, int port, @Nullable Path impstats) {
    this.socketTables = socketTables;
    this.port = port;
    this.impstats = impstats;
  }

  /**
   * Starts a thread that reads the losses periodically, if heartbeats are turned on. The thread
   * ends with the process.
   */
  static Supplier<Losses> watched(HeartbeatSettings settings) {
    if (settings.interval().isZero()) {
      return () -> Losses.NONE_KNOWN;
    }
    String file = settings.impstats();
    LossReader losses =
        new LossReader(
            // Unlike /proc/net, these files exist even if /proc shows only processes.
            List.of(Path.of("/proc/self/net/udp"), Path.of("/proc/self/net/udp6")),
            settings.udpPort(),
            file == null ? null : Path.of(file));
    new PollingThread("node-losses", settings.interval(), losses::read).start();
    return () -> losses.lastLosses;
  }

  /** Reads both sources once, and returns the losses so far. */
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
    Map<String, Long> dropsByInode = new HashMap<>();
    for (Path table : socketTables) {
      if (!Files.exists(table)) {
        continue; // udp6 does not exist if IPv6 is turned off
      }
      try (Stream<String> lines = Files.lines(table)) {
        lines
            .filter(line -> line.contains(suffix))
            .map(line -> line.trim().split("\\s+", -1))
            .filter(fields -> fields.length > INODE_COLUMN && fields[1].endsWith(suffix))
            .forEach(
                fields ->
                    dropsByInode.put(
                        fields[INODE_COLUMN], Long.parseLong(fields[fields.length - 1])));
      } catch (IOException | RuntimeException e) {
        return droppedCount.unreadable(table, e);
      }
    }
    return droppedCount.read(dropsByInode);
  }

  /** Counts the discarded messages in the last report of each queue. */
  private long readQueues(Path file) {
    Map<String, Long> discardsByQueue = new HashMap<>();
    try {
      String text = tail(file);
      // The last line may be incomplete, because rsyslog is still writing it.
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1)) {
        Matcher name = QUEUE_NAME.matcher(line);
        Matcher count = DISCARDED_COUNT.matcher(line);
        long sum = 0;
        boolean found = false;
        while (count.find()) {
          sum = Math.min(sum + Long.parseLong(count.group(1)), Losses.MAX);
          found = true;
        }
        if (found && name.find()) {
          discardsByQueue.put(name.group(), sum);
        }
      }
    } catch (IOException | RuntimeException e) {
      return discardedCount.unreadable(file, e);
    }
    return discardedCount.read(discardsByQueue);
  }

  private static String tail(Path file) throws IOException {
    try (RandomAccessFile openFile = new RandomAccessFile(file.toFile(), "r")) {
      openFile.seek(Math.max(0, openFile.length() - TAIL_BYTES));
      byte[] bytes = new byte[TAIL_BYTES];
      int read = Math.max(0, openFile.read(bytes));
      return new String(bytes, 0, read, ISO_8859_1);
    }
  }
}
