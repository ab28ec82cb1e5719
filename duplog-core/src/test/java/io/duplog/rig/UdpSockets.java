package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the kernel tells about this machine's UDP sockets: which are bound, what waits in each, and
 * how many datagrams it had to drop because its receive buffer was full. From {@code
 * /proc/net/udp}, proc(5).
 */
public final class UdpSockets {
  private static final int LOCAL_ADDRESS = 1;
  private static final int QUEUES = 4;
  private static final int DROPS = 12;

  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6"));

  private UdpSockets() {}

  /** Those of the running kernel. */
  public static UdpSockets ofKernel() {
    return new UdpSockets();
  }

  /** Whether a socket takes what is sent to a port. */
  public boolean isBound(int port) throws IOException {
    return !socketsOf(port).isEmpty();
  }

  /** Datagrams that arrived for this port and were dropped, since its sockets were made. */
  public long dropped(int port) throws IOException {
    return socketsOf(port).stream().mapToLong(fields -> Long.parseLong(fields[DROPS])).sum();
  }

  /** Bytes of memory that datagrams for this port take which nobody has read yet. */
  public long waiting(int port) throws IOException {
    return socketsOf(port).stream()
        .mapToLong(fields -> Long.parseLong(fields[QUEUES].split(":", 2)[1], 16))
        .sum();
  }

  /** The columns of each socket's line. */
  private static List<String[]> socketsOf(int port) throws IOException {
    String suffix = ":%04X".formatted(port);
    List<String> lines = new ArrayList<>();
    for (Path table : TABLES) {
      if (Files.exists(table)) { // no udp6 where IPv6 is off
        lines.addAll(Files.readAllLines(table));
      }
    }
    return lines.stream()
        .map(line -> line.strip().split("\\s+"))
        .filter(fields -> fields[LOCAL_ADDRESS].endsWith(suffix))
        .toList();
  }
}
