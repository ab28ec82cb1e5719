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
 * Hands out ports of the loopback interface on which nothing listens, neither by TCP nor by UDP,
 * and each port only once. The ports lie below the range from which Linux takes the ports of
 * outgoing connections (from 32768 on by default), so that no connection of the lab takes a port
 * before its server starts. They belong to a block that no other process has, so that no other lab
 * takes them, either.
 */
public final class Ports {
  private static final int LOWEST = 18_000;
  private static final int BLOCK = 200;
  private static final int BLOCKS = 70;

  /**
   * Socket on the first port of this process's block, which reserves the block while the process
   * lives.
   */
  private static @Nullable ServerSocket claim;

  /**
   * Number of ports of the block that were tried so far, so that a lab does not begin with
   * another's ports.
   */
  private static int lookedAt;

  private final Set<Integer> taken = new HashSet<>();

  /**
   * Returns a port that was not handed out before.
   *
   * @throws LabException if no port is free
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
        // another process has this block, or listens on its first port
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
