package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads from Linux which UDP ports of this host are in use, and how many datagrams were dropped
 * there.
 */
public final class UdpSockets {
  private static final int ADDRESS_COLUMN = 1;
  private static final int QUEUES_COLUMN = 4;
  private static final int DROPS_COLUMN = 12;

  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6"));

  private UdpSockets() {}

  /** Returns the sockets of the running kernel. */
  public static UdpSockets ofKernel() {
    return new UdpSockets();
  }

  /** Whether a socket receives datagrams for a port. */
  public boolean isBound(int port) throws IOException {
    return !socketsOf(port).isEmpty();
  }

  /** Returns how many datagrams for this port were dropped since its sockets were opened. */
  public long dropped(int port) throws IOException {
    return socketsOf(port).stream().mapToLong(fields -> Long.parseLong(fields[DROPS_COLUMN])).sum();
  }

  /** Returns the bytes of memory with unread datagrams for this port. */
  public long waiting(int port) throws IOException {
    return socketsOf(port).stream()
        .mapToLong(fields -> Long.parseLong(fields[QUEUES_COLUMN].split(":", 2)[1], 16))
        .sum();
  }

  /** Returns the columns of the lines of a port's sockets. */
  private static List<String[]> socketsOf(int port) throws IOException {
    String suffix = ":%04X".formatted(port);
    List<String> lines = new ArrayList<>();
    for (Path table : TABLES) {
      if (Files.exists(table)) { // There is no udp6 if IPv6 is off.
        lines.addAll(Files.readAllLines(table));
      }
    }
    return lines.stream()
        .map(line -> line.strip().split("\\s+"))
        .filter(fields -> fields[ADDRESS_COLUMN].endsWith(suffix))
        .toList();
  }
}
