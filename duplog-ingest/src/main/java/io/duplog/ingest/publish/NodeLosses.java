package io.duplog.ingest.publish;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what this node has lost before the shim: datagrams that the kernel dropped, and messages
 * that rsyslog's queues discarded. Used by one thread.
 *
 * @see "docs/decisions/where-it-was-lost.md"
 */
final class NodeLosses implements Supplier<Losses> {
  private static final Logger log = LoggerFactory.getLogger(NodeLosses.class);

  /** Most bytes of the statistics that are read, from the end; more than one report takes. */
  private static final int TAIL_BYTES = 256 * 1024;

  /** Name and counters of a queue, in the JSON of impstats or in its legacy format. */
  private static final Pattern QUEUE =
      Pattern.compile("(?:\"name\":\\s*\"([^\"]*)\"|: (.+): origin=core\\.queue)");

  private static final Pattern DISCARDED =
      Pattern.compile("discarded\\.(?:full|nf)\"?[=:]\\s*(\\d+)");

  private final List<Path> sockets;
  private final int port;
  private final @Nullable Path impstats;
  private boolean warned;

  NodeLosses(HeartbeatSettings settings) {
    this(
        // Unlike /proc/net, it is there below a /proc that shows processes only.
        List.of(Path.of("/proc/self/net/udp"), Path.of("/proc/self/net/udp6")),
        settings.udpPort(),
        settings.impstats() == null ? null : Path.of(settings.impstats()));
  }

  /**
   * @param sockets tables of UDP sockets in the kernel's format, as /proc/net/udp
   * @param port the port on which rsyslog receives; 0 for none
   * @param impstats file with rsyslog's statistics; null for none
   */
  NodeLosses(List<Path> sockets, int port, @Nullable Path impstats) {
    this.sockets = sockets;
    this.port = port;
    this.impstats = impstats;
  }

  /** Returns what is known; a source that can't be read is said once, and its number is unknown. */
  @Override
  public Losses get() {
    return new Losses(
        port == 0 ? Losses.UNKNOWN : read(this::dropped),
        impstats == null ? Losses.UNKNOWN : read(() -> discarded(impstats)));
  }

  private interface Source {
    long read() throws IOException;
  }

  private long read(Source source) {
    try {
      return source.read();
    } catch (IOException | RuntimeException e) {
      if (!warned) {
        warned = true;
        log.warn(
            "what this node loses before the shim is not known: {} can't be read", e.toString());
      }
      return Losses.UNKNOWN;
    }
  }

  /** Returns the drops of all sockets that are bound to the port; unknown if there is none. */
  private long dropped() throws IOException {
    String bound = "(?:[0-9A-F]{8}|[0-9A-F]{32}):%04X".formatted(port);
    long dropped = Losses.UNKNOWN;
    for (Path table : sockets) {
      for (String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
        String[] fields = line.trim().split("\\s+", -1);
        if (fields.length > 2 && fields[1].matches(bound)) {
          dropped = Math.max(0, dropped) + Long.parseLong(fields[fields.length - 1]);
        }
      }
    }
    return dropped;
  }

  /** Returns the sum of what each queue had discarded when it was last reported. */
  private static long discarded(Path impstats) throws IOException {
    Map<String, Long> queues = new HashMap<>();
    for (String line : tail(impstats).split("\n", -1)) {
      Matcher name = QUEUE.matcher(line);
      Matcher count = DISCARDED.matcher(line);
      long sum = 0;
      boolean found = false;
      while (count.find()) {
        sum += Long.parseLong(count.group(1));
        found = true;
      }
      if (found && name.find()) {
        queues.put(name.group(), sum);
      }
    }
    return queues.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String tail(Path file) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, open.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) (open.length() - from)];
      open.seek(from);
      open.readFully(bytes);
      return new String(bytes, ISO_8859_1);
    }
  }
}
