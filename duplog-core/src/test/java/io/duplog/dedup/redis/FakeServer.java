package io.duplog.dedup.redis;

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

/** Takes connections and commands as Redis does, and answers what a test wants. */
abstract class FakeServer implements AutoCloseable {
  /** The answer of a server that does not answer. */
  static final String SILENCE = "";

  private final String name;
  private final ServerSocket listening;
  private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();
  private final AtomicInteger connected = new AtomicInteger();

  /**
   * @param name of its threads
   */
  FakeServer(String name) {
    this.name = name;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  /** The answer to the words of a command, as it is to be sent; for a thread a connection. */
  abstract String answer(List<String> words);

  private void daemon(Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** A text, as an answer or as a part of one. */
  static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  HostAndPort address() {
    return HostAndPort.fromParts("127.0.0.1", listening.getLocalPort());
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
        if (listening.isClosed()) {
          return; // accepted all the same, at the last moment
        }
        connection.getOutputStream().write(answer(words).getBytes(ISO_8859_1));
      }
    } catch (IOException e) {
      // the other side is gone
    }
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
