package io.duplog.benchmark.lab;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hands out ports of the loopback interface on which nothing listens, neither TCP nor UDP, each
 * once. They lie below the range from which Linux takes the ports of outgoing connections (32768 by
 * default), so that none of the lab's own connections can take one away before its server starts.
 */
public final class Ports {
  private static final int LOWEST = 18_000;
  private static final int BOUND = 32_000;
  private static final int ATTEMPTS = 10_000;

  private final Set<Integer> taken = new HashSet<>();

  /**
   * A port that was not handed out before.
   *
   * @throws LabException if none is free
   */
  public int next() throws LabException {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, BOUND);
      if (isFree(port) && taken.add(port)) {
        return port;
      }
    }
    throw new LabException("no free port between " + LOWEST + " and " + BOUND);
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
