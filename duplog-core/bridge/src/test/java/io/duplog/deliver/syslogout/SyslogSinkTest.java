package io.duplog.deliver.syslogout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.observe.Conditions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the sink with receivers that close, hang or are unreachable. */
@Timeout(120)
class SyslogSinkTest {
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<Receiver> receivers = new CopyOnWriteArrayList<>();

  @AfterEach
  void closeReceivers() throws IOException {
    for (Receiver receiver : receivers) {
      receiver.close();
    }
  }

  /** A receiver's behaviour on one of its connections. */
  private interface Conversation {
    void hold(Socket connection, Receiver receiver) throws Exception;
  }

  /**
   * A receiver that handles its first connections as the test wants, and reads the others to their
   * end.
   */
  private final class Receiver {
    private final ServerSocket server = new ServerSocket();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    Receiver(Conversation... first) throws IOException {
      server.setReceiveBufferSize(32 << 10);
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Thread thread = new Thread(() -> accept(first), "receiver");
      thread.setDaemon(true);
      thread.start();
      receivers.add(this);
    }

    private void accept(Conversation... first) {
      for (int i = 0; !server.isClosed(); i++) {
        try (Socket connection = server.accept()) {
          connections.add(connection);
          if (i < first.length) {
            first[i].hold(connection, this);
          } else {
            read(connection, Integer.MAX_VALUE);
          }
        } catch (Exception e) {
          // The sink or the test has closed the connection.
        }
      }
    }

    void read(Socket connection, int bytes) throws IOException {
      InputStream in = connection.getInputStream();
      byte[] piece = new byte[8 << 10];
      for (int left = bytes; left > 0; ) {
        int length = in.read(piece, 0, Math.min(left, piece.length));
        if (length < 0) {
          return;
        }
        received.write(piece, 0, length);
        left -= length;
      }
    }

    String text() {
      return received.toString(ISO_8859_1);
    }

    String address() {
      return "127.0.0.1:" + server.getLocalPort();
    }

    void close() throws IOException {
      closed.countDown();
      server.close();
      for (Socket connection : connections) {
        connection.close();
      }
    }
  }

  private static SyslogSinkConfig config(Duration writeTimeout, String... addresses) {
    return new SyslogSinkConfig(
        List.of(addresses),
        SyslogFraming.OCTET_COUNTING,
        null,
        Duration.ofMillis(50),
        Duration.ofSeconds(20),
        writeTimeout);
  }

  private static Sink open(SyslogSinkConfig config) {
    return SyslogSink.open(config, SinkContext.ofOnly(line -> {}, Conditions.ofSystem()));
  }

  private static Sink open(Receiver... receivers) {
    String[] addresses = List.of(receivers).stream().map(Receiver::address).toArray(String[]::new);
    return open(config(Duration.ofSeconds(60), addresses));
  }

  @Test
  void messages_arrive_andAreAccepted() throws Exception {
    Receiver receiver = new Receiver();
    try (Sink sink = open(receiver)) {
      sink.deliver(deliveries.ofMessages("p", "<13>one", "<13>two"));
      await().until(() -> deliveries.accepted().equals(List.of("p")));
      await().until(() -> receiver.text().equals("7 <13>one7 <13>two"));
      assertThat(sink.isAvailable()).isTrue();
    }
  }

  @Test
  void receiverThatClosesInsideAFrame_getsTheWholeGroupAgain() throws Exception {
    Receiver receiver = new Receiver((connection, self) -> self.read(connection, 5));
    try (Sink sink = open(receiver)) {
      sink.deliver(deliveries.ofMessages("p", "<13>one", "<13>two"));
      await().until(() -> deliveries.accepted().equals(List.of("p")));
      await().until(() -> receiver.text().equals("7 <13" + "7 <13>one7 <13>two"));
      await().until(sink::isAvailable);
    }
  }

  @Test
  void receiverThatClosesAfterAGroup_beforeItCounts_getsItTwice() throws Exception {
    Receiver receiver = new Receiver((connection, self) -> self.read(connection, 9));
    try (Sink sink = open(receiver)) {
      sink.deliver(deliveries.ofMessages("p", "<13>one"));
      await().until(() -> receiver.text().equals("7 <13>one7 <13>one"));
      await().until(() -> deliveries.accepted().equals(List.of("p")));
    }
  }

  @Test
  void receiverThatSpeaks_isNotHeeded() throws Exception {
    Receiver receiver =
        new Receiver(
            (connection, self) -> {
              connection
                  .getOutputStream()
                  .write("220 ready\r\n".repeat(10_000).getBytes(ISO_8859_1));
              self.read(connection, Integer.MAX_VALUE);
            });
    try (Sink sink = open(receiver)) {
      sink.deliver(deliveries.ofMessages("p", "<13>one"));
      await().until(() -> deliveries.accepted().equals(List.of("p")));
      await().until(() -> receiver.text().equals("7 <13>one"));
      assertThat(receiver.connections).hasSize(1);
    }
  }

  @Test
  void idleConnectionThatIsClosed_isReplaced_beforeTheNextMessage() throws Exception {
    Receiver receiver = new Receiver((connection, self) -> self.read(connection, 9));
    AtomicLong clock = new AtomicLong(1);
    SyslogOutput output =
        new SyslogOutput(config(Duration.ofSeconds(60), receiver.address()), clock::get);
    output.prepare();
    await().until(() -> receiver.connections.size() == 1);
    receiver.connections.get(0).close();
    clock.addAndGet(Duration.ofSeconds(2).toNanos());
    output.prepare();
    await().until(() -> receiver.connections.size() == 2);
    output.close();
  }

  @Test
  void receiverThatNeverReads_makesTheSinkUnavailable_andTheNextReceiverGetsAll() throws Exception {
    Receiver hanging = new Receiver((connection, self) -> self.closed.await());
    Receiver working = new Receiver();
    SyslogSinkConfig config = config(Duration.ofMillis(300), hanging.address(), working.address());
    try (Sink sink = open(config)) {
      String message = "<13>" + "x".repeat(1_000_000);
      // A receiver's kernel may store several of them, so that only a large group is not accepted.
      sink.deliver(
          deliveries.ofMessages(
              "p", IntStream.range(0, 8).mapToObj(i -> message).toArray(String[]::new)));
      await()
          .until(
              () -> {
                sink.watch();
                return !sink.isAvailable();
              });
      await().until(() -> deliveries.accepted().equals(List.of("p")));
      await().until(() -> working.text().length() == 8 * ("1000004 ".length() + message.length()));
      await().until(sink::isAvailable);
    }
  }

  @Test
  void withdraw_returns_whileAReceiverHangs() throws Exception {
    Receiver hanging = new Receiver((connection, self) -> self.closed.await());
    try (Sink sink = open(hanging)) {
      String message = "<13>" + "x".repeat(1_000_000);
      for (int i = 0; i < 20; i++) {
        sink.deliver(deliveries.ofMessages("p" + i, message));
      }
      await().until(() -> hanging.connections.size() == 1);
      sink.withdraw();
      assertThat(deliveries.withdrawn()).contains("p19");
      hanging.close();
    }
  }

  @Test
  void unreachableReceiver_isSkipped_andNamedByACheck() throws Exception {
    Receiver gone = new Receiver();
    gone.close();
    Receiver working = new Receiver();
    SyslogSinkConfig config = config(Duration.ofSeconds(60), gone.address(), working.address());
    try (Sink sink = open(config)) {
      sink.deliver(deliveries.ofMessages("p", "<13>one"));
      await().until(() -> deliveries.accepted().equals(List.of("p")));
    }
    SyslogSink.check(config(Duration.ofSeconds(60), working.address()));
    assertThatThrownBy(() -> SyslogSink.check(config))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining(gone.address() + ": Connection refused");
  }
}
