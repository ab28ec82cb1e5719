package io.duplog.dedup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.net.HostAndPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Answers as a sentinel does, and says what a test wants. */
final class FakeSentinel implements AutoCloseable {
  private record Saying(String host, int port, long epoch) {}

  private final ServerSocket listening;
  private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();
  private final AtomicInteger connected = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile @Nullable Saying saying;
  private volatile boolean silent;

  FakeSentinel(String host, int port, long epoch) {
    saying = new Saying(host, port, epoch);
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "fake-sentinel");
    thread.setDaemon(true);
    thread.start();
  }

  HostAndPort address() {
    return HostAndPort.fromParts("127.0.0.1", listening.getLocalPort());
  }

  /** What it says from now on. */
  void say(String host, int port, long epoch) {
    saying = new Saying(host, port, epoch);
  }

  /** That it knows no such master, from now on. */
  void forget() {
    saying = null;
  }

  /** How often it was asked for the master, whatever it said. */
  int asked() {
    return asked.get();
  }

  /** It takes connections and what is said on them, and never answers. */
  void beSilent() {
    silent = true;
  }

  /** How many connections it was asked for. */
  int connected() {
    return connected.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = listening.accept();
        connections.add(connection);
        connected.incrementAndGet();
        daemon(() -> serve(connection));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(connection.getInputStream(), ISO_8859_1));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        List<String> words = new ArrayList<>();
        for (int left = Integer.parseInt(line.substring(1)); left > 0; left--) {
          in.readLine(); // its length
          words.add(in.readLine());
        }
        if (silent) {
          continue;
        }
        connection.getOutputStream().write(answer(words).getBytes(ISO_8859_1));
      }
    } catch (IOException e) {
      // the other side is gone
    }
  }

  private String answer(List<String> words) {
    if (!words.get(0).equalsIgnoreCase("sentinel")) {
      return "+OK\r\n";
    }
    Saying now = saying;
    if (now == null || !words.get(words.size() - 1).equals("duplog")) {
      asked.incrementAndGet();
      return "-ERR No such master with that name\r\n";
    }
    if (words.get(1).equalsIgnoreCase("master")) {
      return array("config-epoch", Long.toString(now.epoch()));
    }
    asked.incrementAndGet();
    return array(now.host(), Integer.toString(now.port()));
  }

  private static String array(String... elements) {
    StringBuilder text = new StringBuilder("*" + elements.length + "\r\n");
    for (String each : elements) {
      text.append('$').append(each.length()).append("\r\n").append(each).append("\r\n");
    }
    return text.toString();
  }

  /** As when it is started again. */
  void dropConnections() {
    try {
      for (Socket each = connections.poll(); each != null; each = connections.poll()) {
        each.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    dropConnections();
  }
}
