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
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A node of a cluster that says where the slots are, and answers GET, as a test wants. */
final class FakeNode implements AutoCloseable {
  /** What GET is answered with by a server that does not answer at all. */
  static final String SILENCE = "";

  private final ServerSocket listening;
  private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();

  /** How often it was asked for a key. */
  final AtomicInteger asked = new AtomicInteger();

  /** How often it was asked how the cluster is. */
  final AtomicInteger questions = new AtomicInteger();

  private volatile String info = bulk("cluster_state:ok\r\ncluster_current_epoch:1\r\n");
  private volatile String slots = "*0\r\n";
  private volatile String value = bulk("value");

  FakeNode() {
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "fake-node");
    thread.setDaemon(true);
    thread.start();
  }

  HostAndPort address() {
    return HostAndPort.fromParts("127.0.0.1", listening.getLocalPort());
  }

  /** From now on it says that this one has all slots, since that epoch. */
  void saysThatAllIsAt(FakeNode master, int epoch) {
    info = bulk("cluster_state:ok\r\ncluster_current_epoch:%d\r\n".formatted(epoch));
    slots =
        "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n"
            + bulk("127.0.0.1")
            + ":%d\r\n".formatted(master.port());
  }

  /** From now on it is no part of the cluster. */
  void knowsOfNobody(int epoch) {
    info = bulk("cluster_state:fail\r\ncluster_current_epoch:%d\r\n".formatted(epoch));
    slots = "*0\r\n";
  }

  /** From now on it knows that it is alone; what it says of the slots is old. */
  void isCutOff() {
    info = info.replace("cluster_state:ok", "cluster_state:no");
  }

  int port() {
    return address().getPort();
  }

  /** What it answers GET with from now on: an error, a value, nothing at all. */
  void answers(String word) {
    value = word.startsWith("-") ? word + "\r\n" : word.equals(SILENCE) ? SILENCE : bulk(word);
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = listening.accept();
        connections.add(connection);
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
        if (listening.isClosed()) {
          return; // accepted all the same, at the last moment
        }
        connection.getOutputStream().write(answer(words).getBytes(ISO_8859_1));
      }
    } catch (IOException e) {
      // the other side is gone
    }
  }

  private String answer(List<String> words) {
    return switch (String.join(" ", words).toUpperCase(Locale.ROOT)) {
      case "CLUSTER INFO" -> {
        questions.incrementAndGet();
        yield info;
      }
      case "CLUSTER SLOTS" -> slots;
      case "PING" -> value.equals(SILENCE) ? SILENCE : "+PONG\r\n";
      case "GET KEY" -> {
        asked.incrementAndGet();
        yield value;
      }
      default -> words.get(0).equalsIgnoreCase("HELLO") ? "%1\r\n+proto\r\n:3\r\n" : "+OK\r\n";
    };
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket each = connections.poll(); each != null; each = connections.poll()) {
        each.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
