package io.duplog.dedup.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.joining;

import com.google.common.net.HostAndPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Simulates a Redis or a sentinel that gives the answers that a test chooses. */
final class FakeServer implements AutoCloseable {
  /** The answer of a server that does not answer. */
  static final String SILENCE = "";

  private final ServerSocket listening;
  private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();
  private final AtomicInteger connected = new AtomicInteger();
  private final Queue<String> commands = new ConcurrentLinkedQueue<>();

  /** Answers in the server's wire format, by the first words of the command. */
  private final Map<String, String> answers = new ConcurrentHashMap<>();

  FakeServer() {
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    answers("", "+OK");
    answers("HELLO", "%1\r\n+proto\r\n:3");
    answers("PING", "+PONG");
    daemon(this::accept);
  }

  /**
   * Sets what it answers from now on.
   *
   * @param command how it begins, in capitals; of several that fit the longest counts
   * @param answer a text, a number or a list of such; what begins as an error, a status or a map
   *     does is one
   */
  void answers(String command, Object answer) {
    answers.put(command, encoded(answer));
  }

  private static String encoded(Object answer) {
    if (answer instanceof List<?> list) {
      return "*%d\r\n".formatted(list.size())
          + list.stream().map(FakeServer::encoded).collect(joining());
    }
    String text = answer.toString();
    if (text.equals(SILENCE)) {
      return SILENCE;
    }
    boolean isEncoded = "-+%".indexOf(text.charAt(0)) >= 0;
    String kind = answer instanceof Integer ? ":" : isEncoded ? "" : "$" + text.length() + "\r\n";
    return kind + text + "\r\n";
  }

  /** Returns how often it was sent such a command. */
  int asked(String command) {
    return (int) commands.stream().filter(sent -> sent.startsWith(command)).count();
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "fake-redis");
    thread.setDaemon(true);
    thread.start();
  }

  HostAndPort address() {
    return HostAndPort.fromParts("127.0.0.1", listening.getLocalPort());
  }

  /** Returns how many connections it was asked for. */
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
      // the other side has closed the connection
    }
  }

  private String answer(List<String> words) {
    String command = String.join(" ", words).toUpperCase(Locale.ROOT);
    commands.add(command);
    return answers.keySet().stream()
        .filter(command::startsWith)
        .max(Comparator.comparing(String::length))
        .map(answers::get)
        .orElseThrow();
  }

  /** Closes all connections, as a restart does. */
  void dropConnections() throws IOException {
    for (Socket each = connections.poll(); each != null; each = connections.poll()) {
      each.close();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    dropConnections();
  }
}
