package io.duplog.rig;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Assigns free ports of this host to the servers of a test or a lab, never the same one twice. On a
 * free port, no program listens by TCP or UDP. The ports are below Linux's range for outgoing
 * connections, which begins at 32768 by default. A connection of the lab therefore never takes a
 * port before its server starts. They belong to a block that is reserved for this process, so that
 * no other lab takes them.
 */
public final class Ports {
  private static final int MIN_PORT = 18_000;
  private static final int PORTS_PER_BLOCK = 200;
  private static final int BLOCK_COUNT = 70;

  /**
   * Socket on the first port of this process's block. It reserves the block while the process
   * lives.
   */
  private static @Nullable ServerSocket claim;

  /**
   * Number of ports of the block that were tried so far. Static, so that a lab does not begin with
   * another lab's ports.
   */
  private static int triedPorts;

  private final Set<Integer> assignedPorts = new HashSet<>();

  /**
   * Returns a port that was not assigned before.
   *
   * @throws LabException if no port is free
   */
  public int next() throws LabException {
    synchronized (Ports.class) {
      int first = blockStart();
      for (int i = 1; i < PORTS_PER_BLOCK; i++) {
        int port = first + 1 + triedPorts++ % (PORTS_PER_BLOCK - 1);
        if (isFree(port) && assignedPorts.add(port)) {
          return port;
        }
      }
      throw new LabException("no free port between " + first + " and " + (first + PORTS_PER_BLOCK));
    }
  }

  private static int blockStart() throws LabException {
    if (claim == null) {
      claim = claimBlock();
    }
    return claim.getLocalPort();
  }

  private static ServerSocket claimBlock() throws LabException {
    int firstBlock = ThreadLocalRandom.current().nextInt(BLOCK_COUNT);
    for (int i = 0; i < BLOCK_COUNT; i++) {
      int first = MIN_PORT + (firstBlock + i) % BLOCK_COUNT * PORTS_PER_BLOCK;
      try {
        return new ServerSocket(first, 1, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        // Another process has this block, or listens on its first port.
      }
    }
    throw new LabException(
        "no free block of ports between "
            + MIN_PORT
            + " and "
            + (MIN_PORT + BLOCK_COUNT * PORTS_PER_BLOCK));
  }

  private static boolean isFree(int port) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (ServerSocket tcp = new ServerSocket();
        DatagramSocket udp = new DatagramSocket(null)) {
      tcp.bind(address);
      udp.bind(address);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
