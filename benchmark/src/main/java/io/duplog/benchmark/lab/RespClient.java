package io.duplog.benchmark.lab;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Gives Redis commands, one connection each time, as {@code redis-cli} does. */
final class RespClient {
  private static final int TIMEOUT_MILLIS = 5_000;

  private final int port;

  RespClient(int port) {
    this.port = port;
  }

  /**
   * Sends a command and returns its answer as text: a number in decimal, nothing as an empty text,
   * each element of a list on a line of its own.
   *
   * @throws IOException if Redis does not answer, or answers with an error
   */
  String command(String... words) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      socket.getOutputStream().write(encode(words));
      return read(new BufferedInputStream(socket.getInputStream()), words[0]);
    }
  }

  private static byte[] encode(String... words) {
    StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      request.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return request.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String read(InputStream in, String command) throws IOException {
    String line = readLine(in);
    return switch (line.charAt(0)) {
      case '+', ':' -> line.substring(1);
      case '-' -> throw new IOException("Redis refuses " + command + ": " + line.substring(1));
      case '$' -> readBulk(in, Integer.parseInt(line.substring(1)));
      case '*' -> readList(in, Integer.parseInt(line.substring(1)), command);
      default -> throw new IOException("Redis answers " + command + " with " + line);
    };
  }

  private static String readBulk(InputStream in, int length) throws IOException {
    if (length < 0) {
      return "";
    }
    String text = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
    in.skipNBytes(2); // the end of its line
    return text;
  }

  private static String readList(InputStream in, int elements, String command) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      lines.add(read(in, command));
    }
    return String.join("\n", lines);
  }

  private static String readLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\r'; next = in.read()) {
      if (next < 0) {
        throw new IOException("Redis closed the connection");
      }
      line.write(next);
    }
    if (in.read() != '\n' || line.size() == 0) {
      throw new IOException("not Redis's protocol");
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }
}
