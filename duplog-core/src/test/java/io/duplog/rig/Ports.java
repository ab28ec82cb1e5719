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
 * Hands out ports of the loopback interface on which nothing listens, neither TCP nor UDP, each
 * once. They lie below the range from which Linux takes the ports of outgoing connections (32768 by
 * default), so that none of the lab's own connections can take one away before its server starts.
 * They are of a block that no other process has, so that no other lab can, either.
 */
public final class Ports {
  private static final int LOWEST = 18_000;
  private static final int BLOCK = 200;
  private static final int BLOCKS = 70;

  /** Holds this process's block: its first port, for as long as the process lives. */
  private static @Nullable ServerSocket claim;

  /** How many ports of the block were looked at. One lab does not begin where another one did. */
  private static int lookedAt;

  private final Set<Integer> taken = new HashSet<>();

  /**
   * A port that was not handed out before.
   *
   * @throws LabException if none is free
   */
  public int next() throws LabException {
    synchronized (Ports.class) {
      int first = block();
      for (int i = 1; i < BLOCK; i++) {
        int port = first + 1 + lookedAt++ % (BLOCK - 1);
        if (isFree(port) && taken.add(port)) {
          return port;
        }
      }
      throw new LabException("no free port between " + first + " and " + (first + BLOCK));
    }
  }

  private static int block() throws LabException {
    if (claim == null) {
      claim = claim();
    }
    return claim.getLocalPort();
  }

  private static ServerSocket claim() throws LabException {
    int any = ThreadLocalRandom.current().nextInt(BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
      int first = LOWEST + (any + i) % BLOCKS * BLOCK;
      try {
        return new ServerSocket(first, 1, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        // another process has it, or something else listens there
      }
    }
    throw new LabException(
        "no free block of ports between " + LOWEST + " and " + (LOWEST + BLOCKS * BLOCK));
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
