package io.duplog.benchmark.deploy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends numbered messages with all kinds of bytes to rsyslog, and checks that each arrived
 * unaltered in the merged stream. The content of a message follows from its number, so any quantity
 * can be checked without being stored.
 */
final class NumberedBytes {
  private static final int PORT = 514;
  private static final int MAX_RANDOM_BYTES = 400;
  private static final String HEADER = "<13>Nov 21 05:00:00 sender bytes: ";
  private static final int NUMBER_DIGITS = 9;

  private final int count;
  private final BitSet delivered = new BitSet();
  private int duplicates;
  private int altered;

  NumberedBytes(int count) {
    this.count = count;
  }

  /** Returns a message as it is sent, each byte as a character. */
  private static String message(int number) {
    SplittableRandom random = new SplittableRandom(number);
    StringBuilder text = new StringBuilder(HEADER).append("%09d ".formatted(number));
    for (int i = random.nextInt(MAX_RANDOM_BYTES); i > 0; i--) {
      char character = (char) random.nextInt(256);
      text.append(endsMessage(character, number) ? ' ' : character);
    }
    return text.append('.').toString();
  }

  /** Whether a character would end the message: a line feed, or a NUL by TCP. */
  private static boolean endsMessage(char character, int number) {
    return character == '\n' || (character == 0 && !isByUdp(number));
  }

  private static boolean isByUdp(int number) {
    return number % 2 == 0;
  }

  /**
   * Returns a message as rsyslog receives it. Rsyslog escapes all control characters except DEL.
   */
  private static String expectedLine(int number) {
    StringBuilder text = new StringBuilder();
    for (char character : message(number).toCharArray()) {
      if (character < ' ') {
        text.append("#%03o".formatted((int) character));
      } else {
        text.append(character);
      }
    }
    return text.toString();
  }

  /**
   * Sends all messages to each of the nodes: the even ones by UDP, the odd ones by TCP.
   *
   * @param messagesPerMilli number of messages to send each millisecond
   */
  void sendTo(List<SystemdHost> nodes, int messagesPerMilli, Duration atMost) throws Exception {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    List<InetAddress> addresses = new ArrayList<>();
    List<Socket> connections = new ArrayList<>();
    try (DatagramSocket datagrams = new DatagramSocket()) {
      for (SystemdHost node : nodes) {
        addresses.add(InetAddress.getByName(node.address()));
        connections.add(new Socket(node.address(), PORT));
      }
      AtomicInteger next = new AtomicInteger();
      Future<?> sending =
          timer.scheduleWithFixedDelay(
              () -> {
                for (int i = 0; i < messagesPerMilli && next.get() < count; i++) {
                  send(next.get(), datagrams, addresses, connections);
                  next.incrementAndGet();
                }
              },
              0,
              1,
              TimeUnit.MILLISECONDS);
      await().atMost(atMost).until(() -> next.get() == count || sending.isDone());
      assertThat(next).hasValue(count);
    } finally {
      timer.shutdown();
      for (Socket connection : connections) {
        connection.close();
      }
    }
  }

  private static void send(
      int number, DatagramSocket datagrams, List<InetAddress> addresses, List<Socket> connections) {
    byte[] bytes = (message(number) + "\n").getBytes(ISO_8859_1);
    try {
      if (isByUdp(number)) {
        for (InetAddress address : addresses) {
          datagrams.send(new DatagramPacket(bytes, bytes.length - 1, address, PORT));
        }
      } else {
        for (Socket connection : connections) {
          connection.getOutputStream().write(bytes);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Counts the lines that a bridge has written to its file. Other messages are ignored. */
  void count(InputStream written) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(written, ISO_8859_1));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(HEADER)) {
        int start = HEADER.length();
        int number = Integer.parseInt(line.substring(start, start + NUMBER_DIGITS));
        duplicates += delivered.get(number) ? 1 : 0;
        altered += line.equals(expectedLine(number)) ? 0 : 1;
        delivered.set(number);
      }
    }
  }

  int delivered() {
    return delivered.cardinality();
  }

  /** Resets all counts. */
  void reset() {
    delivered.clear();
    duplicates = 0;
    altered = 0;
  }

  /**
   * Fails if a message is missing or altered, or if there are more duplicates than messages without
   * comparison.
   */
  void assertComplete(int notCompared) {
    assertThat(delivered()).isEqualTo(count);
    assertThat(altered).as("altered messages").isZero();
    assertThat(duplicates).as("duplicates").isLessThanOrEqualTo(notCompared);
  }
}
