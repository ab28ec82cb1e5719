package io.duplog.benchmark.part;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives Redis plain commands of 16-byte keys and values, so many in one round trip: what its own
 * work on a key costs at the least. One thread.
 */
public final class PlainCommands implements AutoCloseable {
  private static final String SET = "*3\r\n$3\r\nSET\r\n$16\r\n%016d\r\n$16\r\n%016d\r\n";
  private static final String GET = "*2\r\n$3\r\nGET\r\n$16\r\n%016d\r\n";
  private static final int SET_ANSWER = "+OK\r\n".length();
  private static final int GET_ANSWER = "$16\r\n\r\n".length() + 16;

  private final Socket socket;
  private final BufferedInputStream answers;
  private final int batch;

  /** What is sent at once: as many of each, of the same keys. */
  private final List<byte[]> requests = new ArrayList<>();

  /**
   * Connects, and sets every key once.
   *
   * @param batch how many of each command in a round trip
   * @param keys how many different ones there are
   */
  public PlainCommands(int port, int batch, int keys) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    this.answers = new BufferedInputStream(socket.getInputStream());
    this.batch = batch;
    for (int first = 0; first + batch <= keys; first += batch) {
      byte[] sets = commands(SET, first);
      exchange(sets, batch * SET_ANSWER);
      ByteArrayOutputStream both = new ByteArrayOutputStream();
      both.write(commands(GET, first));
      both.write(sets);
      requests.add(both.toByteArray());
    }
  }

  private byte[] commands(String command, int first) {
    StringBuilder text = new StringBuilder();
    for (int key = first; key < first + batch; key++) {
      text.append(command.formatted(key, key));
    }
    return text.toString().getBytes(US_ASCII);
  }

  /** Gets and sets so many keys. */
  public void run(long pairs) throws IOException {
    for (long i = 0; i < pairs / batch; i++) {
      byte[] request = requests.get((int) (i % requests.size()));
      exchange(request, batch * (GET_ANSWER + SET_ANSWER));
    }
  }

  private void exchange(byte[] request, int answer) throws IOException {
    socket.getOutputStream().write(request);
    String got = new String(answers.readNBytes(answer), US_ASCII);
    if (got.length() != answer || !got.endsWith("+OK\r\n")) {
      throw new IOException("Redis answers plain commands otherwise: no measurement");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
