package io.duplog.deliver.hec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.parts.Tinyproxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Through a proxy that others wrote, to collectors with HTTP and HTTPS. */
@Timeout(180)
class HecProxyIT {
  @TempDir private static Path folder;

  private final HttpCollector http = new HttpCollector(folder);
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<String> broken = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void certify() {
    HttpCollector.certify(folder);
  }

  @AfterEach
  void stop() {
    http.close();
  }

  private HecSinkConfig config(String url, Tinyproxy proxy, String login) {
    return HecStage.config(
        """
        urls: ['%s']
        token: good
        retry-min: 10ms
        retry-max: 50ms
        request-timeout: 1s
        tls: {ca: %s}
        proxy:
          url: %s
          %s"""
            .formatted(url, http.pem("ca.pem"), proxy.url(), login)
            .replaceAll(url.startsWith("https") ? "none" : "tls: .*\n", ""));
  }

  private void deliver(Sink sink, String message) {
    sink.deliver(deliveries.ofPlainBody(message, message));
  }

  private void awaitAccepted(String message) {
    Awaitility.await().until(() -> deliveries.accepted().contains(message));
  }

  @Test
  void https_isTunnelled_andTheProxySeesNoToken() throws Exception {
    try (Tinyproxy proxy = new Tinyproxy("u p");
        Sink sink =
            HecSink.open(
                config(http.https("server", false), proxy, "user: u\n  password: p\n"),
                broken::add)) {
      deliver(sink, "a");
      awaitAccepted("a");
      assertThat(proxy.log()).contains("CONNECT localhost:").doesNotContain("good");
    }
    assertThat(http.collector.indexed).containsExactly("a");
    assertThat(http.seen).noneMatch(line -> line.startsWith("proxy login"));
    assertThat(broken).isEmpty();
  }

  @Test
  void proxyThatWantsALogin_saysSo_andEndsNothing() throws Exception {
    try (Tinyproxy proxy = new Tinyproxy("u p")) {
      for (String url : List.of(http.http(), new HttpCollector(folder).https("server", false))) {
        HecSinkConfig without = config(url, proxy, "");
        assertThatThrownBy(() -> HecSink.check(without))
            .hasMessageContaining("407")
            .hasMessageContaining("check user and password of sink.hec.proxy");
        HecSinkConfig wrong = config(url, proxy, "user: u\n  password: wrong-one\n");
        assertThatThrownBy(() -> HecSink.check(wrong))
            .hasMessageContaining("sink.hec.proxy")
            .hasMessageNotContaining("wrong-one");
      }
      try (Sink sink = HecSink.open(config(http.http(), proxy, ""), broken::add)) {
        deliver(sink, "a");
        Awaitility.await().until(() -> sink.trouble() != null);
        assertThat(sink.trouble()).contains("407");
        assertThat(deliveries.refused()).isEmpty();
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void proxyThatIsGone_orHangs_costsNothing() throws Exception {
    try (Tinyproxy proxy = new Tinyproxy("");
        Sink sink = HecSink.open(config(http.http(), proxy, ""), broken::add)) {
      deliver(sink, "a");
      awaitAccepted("a");
      proxy.kill();
      deliver(sink, "b");
      Awaitility.await().until(() -> sink.trouble() != null);
      proxy.start();
      awaitAccepted("b");
      proxy.pause();
      deliver(sink, "c");
      Awaitility.await().until(() -> sink.trouble() != null);
      proxy.unpause();
      awaitAccepted("c");
    }
    assertThat(http.collector.indexed).contains("a", "b", "c");
    assertThat(broken).isEmpty();
  }
}
