package io.duplog.benchmark.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.base.Ascii;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches to a shim as requests of HTTP Event Collector, over one connection. A connection
 * that broke is replaced at the next batch. So a caller that sends a refused batch again repeats
 * the request with equal bytes, as most clients do. Not thread-safe, except {@link #reset}.
 */
public final class HecPath implements ConfirmedPath {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final String HEAD =
      String.join(
          "\r\n",
          "POST /services/collector/event HTTP/1.1",
          "Host: duplog",
          "Authorization: Splunk %s",
          "Content-Length: %%d",
          "",
          "");

  /** Opens a connection to the shim, in plain text or encrypted. */
  @FunctionalInterface
  public interface Connector {
    Socket connect() throws IOException;
  }

  private final Connector connector;
  private final String head;
  private final byte[] eventStart;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private volatile @Nullable Socket socket;
  private @Nullable InputStream answers;

  /**
   * Creates the path. Opens no connection yet.
   *
   * @param host host in each event's metadata
   */
  public HecPath(Connector connector, String token, String host) {
    this.connector = connector;
    this.head = HEAD.formatted(token);
    this.eventStart = "{\"host\":\"%s\",\"event\":\"".formatted(host).getBytes(ISO_8859_1);
  }

  /** Does nothing, because the connection is opened with the first batch. */
  @Override
  public void awaitReady() {}

  @Override
  public void send(byte[] lines, int length) {
    body.reset();
    for (int start = 0; start < length; ) {
      body.writeBytes(eventStart);
      start = writeText(lines, start) + 1;
      body.write('"');
      body.write('}');
    }
    try {
      Socket to = socket;
      if (to == null) {
        to = connector.connect();
        to.setSoTimeout(TIMEOUT_MILLIS);
        to.setTcpNoDelay(true);
        answers = new BufferedInputStream(to.getInputStream());
        socket = to;
      }
      ByteArrayOutputStream request = new ByteArrayOutputStream(body.size() + 256);
      request.writeBytes(head.formatted(body.size()).getBytes(ISO_8859_1));
      body.writeTo(request);
      request.writeTo(to.getOutputStream());
    } catch (IOException e) {
      close(); // awaitConfirmed refuses the batch
    }
  }

  /** Writes a line as the text of a JSON string. Returns the offset of its line feed. */
  private int writeText(byte[] lines, int start) {
    int from = start;
    int at = start;
    for (; lines[at] != '\n'; at++) {
      if (lines[at] == '"' || lines[at] == '\\') {
        body.write(lines, from, at - from);
        body.write('\\');
        from = at;
      }
    }
    body.write(lines, from, at - from);
    return at;
  }

  @Override
  public boolean awaitConfirmed() {
    InputStream from = answers;
    if (socket == null || from == null) {
      return false;
    }
    try {
      boolean isConfirmed = readLine(from).startsWith("HTTP/1.1 200 ");
      int length = 0;
      boolean isLast = false;
      for (String line = readLine(from); !line.isEmpty(); line = readLine(from)) {
        String lower = Ascii.toLowerCase(line);
        length =
            lower.startsWith("content-length:")
                ? Integer.parseInt(line.substring(15).strip())
                : length;
        isLast |= lower.equals("connection: close");
      }
      from.skipNBytes(length);
      if (isLast) {
        close();
      }
      return isConfirmed;
    } catch (IOException e) {
      close();
      return false;
    }
  }

  private static String readLine(InputStream from) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = from.read(); next != '\n'; next = from.read()) {
      if (next < 0) {
        throw new EOFException("the shim has closed the connection");
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  /** Breaks the connection, as a killed client does. Any thread may call this. */
  public void reset() throws IOException {
    Socket current = socket;
    if (current != null) {
      current.close();
    }
  }

  @Override
  public void close() {
    try {
      reset();
    } catch (IOException e) {
      // The socket is no longer needed.
    }
    socket = null;
    answers = null;
  }
}
