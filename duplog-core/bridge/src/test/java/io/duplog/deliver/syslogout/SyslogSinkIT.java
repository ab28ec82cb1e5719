package io.duplog.deliver.syslogout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.observe.Conditions;
import io.duplog.tls.Authority;
import io.duplog.tls.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the sink with a real rsyslog, by TCP and by TLS. */
class SyslogSinkIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int REQUESTS = 100;

  @TempDir private Path folder;
  private final DeliveryRequests deliveries = new DeliveryRequests();

  private static SyslogSinkConfig config(
      String address, SyslogFraming framing, @Nullable TlsConfig tls) {
    return new SyslogSinkConfig(
        List.of(address),
        framing,
        tls,
        Duration.ofMillis(200),
        Duration.ofSeconds(10),
        Duration.ofSeconds(10));
  }

  private static Sink open(SyslogSinkConfig config) {
    return SyslogSink.open(config, SinkContext.ofOnly(line -> {}, Conditions.ofSystem()));
  }

  private void awaitReceived(SyslogReceiver receiver, List<String> messages) {
    await().atMost(PATIENCE).until(() -> receiver.received().containsAll(messages));
  }

  @Test
  void messages_arriveByTcp_asTheyWereReceived() throws Exception {
    try (SyslogReceiver receiver = new SyslogReceiver(null)) {
      SyslogSinkConfig counted =
          config(receiver.address("127.0.0.1"), SyslogFraming.OCTET_COUNTING, null);
      SyslogSink.check(counted);
      try (Sink sink = open(counted)) {
        sink.deliver(deliveries.ofSenders("p", "10.0.0.1 <34>su: failed", "10.0.0.1 no priority"));
        awaitReceived(receiver, List.of("<34>su: failed", "<13>no priority"));
      }
      try (Sink sink = open(config(receiver.address("127.0.0.1"), SyslogFraming.NEWLINE, null))) {
        sink.deliver(deliveries.ofMessages("q", "<34>1 2026-03-14T15:09:26Z h p - - - a\nb"));
        awaitReceived(receiver, List.of("<34>1 2026-03-14T15:09:26Z h p - - - a#012b"));
      }
      await().atMost(PATIENCE).until(() -> deliveries.accepted().contains("q"));
      assertThat(receiver.received()).doesNotHaveDuplicates();
    }
  }

  @Test
  void messages_arriveByTls_andAnUntrustedReceiverGetsNone() throws Exception {
    Authority authority =
        new Authority(folder, "ca").issue("receiver", "localhost").issue("bridge");
    Authority stranger = new Authority(folder, "stranger");
    try (SyslogReceiver receiver = new SyslogReceiver(authority)) {
      String address = receiver.address("localhost");
      SyslogSinkConfig trusting =
          config(address, SyslogFraming.OCTET_COUNTING, authority.client("bridge"));
      SyslogSink.check(trusting);
      try (Sink sink = open(trusting)) {
        sink.deliver(deliveries.ofMessages("p", "<34>by TLS"));
        awaitReceived(receiver, List.of("<34>by TLS"));
        await().atMost(PATIENCE).until(() -> deliveries.accepted().equals(List.of("p")));
      }
      SyslogSinkConfig distrustful =
          config(address, SyslogFraming.OCTET_COUNTING, stranger.client());
      assertThatThrownBy(() -> SyslogSink.check(distrustful))
          .isInstanceOf(SinkException.class)
          .hasMessageContaining("certificate");
      try (Sink sink = open(distrustful)) {
        sink.deliver(deliveries.ofMessages("q", "<34>secret"));
        await().atMost(PATIENCE).until(() -> !sink.isAvailable());
      }
      assertThat(receiver.received()).containsExactly("<34>by TLS");
    }
  }

  @Test
  void killedReceiver_losesOnlyWhatWasAcceptedBefore() throws Exception {
    try (SyslogReceiver receiver = new SyslogReceiver(null)) {
      try (Sink sink =
          open(config(receiver.address("127.0.0.1"), SyslogFraming.OCTET_COUNTING, null))) {
        Set<String> acceptedBefore = new HashSet<>();
        for (int i = 0; i < REQUESTS; i++) {
          sink.deliver(deliveries.ofMessages("p" + i, messages(i).toArray(String[]::new)));
          if (i == REQUESTS / 2) {
            await().atMost(PATIENCE).until(() -> !deliveries.accepted().isEmpty());
            receiver.kill();
            acceptedBefore.addAll(deliveries.accepted());
          }
        }
        await().atMost(PATIENCE).until(() -> !sink.isAvailable());
        receiver.start();
        await().atMost(PATIENCE).until(() -> deliveries.accepted().size() == REQUESTS);
        await().atMost(PATIENCE).until(sink::isAvailable);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
          if (!acceptedBefore.contains("p" + i)) {
            expected.addAll(messages(i));
          }
        }
        assertThat(expected).isNotEmpty();
        awaitReceived(receiver, expected);
      }
    }
  }

  private static List<String> messages(int request) {
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      messages.add("<13>" + request + "-" + i);
    }
    return messages;
  }
}
