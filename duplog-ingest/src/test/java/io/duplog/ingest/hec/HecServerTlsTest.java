package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigLoader;
import io.duplog.ingest.IngestConfig;
import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.tls.Authority;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the listener serves clients that connect by TLS under any name. */
class HecServerTlsTest {
  private static final String YAML =
      """
      stream: a
      broker: {host: h, user: u, password: p}
      hec:
        listen: 127.0.0.1:0
        tls: {certificate: %1$s/shim.pem, key: %1$s/shim.key}
        tokens: [{name: one, token: secret}]
      """;

  private @TempDir Path folder;

  /** Trusts every certificate, like a client whose administrator has turned verification off. */
  private static final class TrustAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /** A client that gets 400 drops its events. */
  @ParameterizedTest
  @ValueSource(strings = {"shim.example.net", "other.example.net:8088", "127.0.0.1:8088", "::1"})
  void request_underAnyName_isAccepted(String host) throws Exception {
    new Authority(folder, "ca").issue("shim", "shim.example.net");
    IngestConfig config =
        ConfigLoader.of(Map.of(), "host")
            .parse("test.yaml", YAML.formatted(folder), IngestConfig.class);
    FakeTime time = new FakeTime();
    FakePublisher publisher = new FakePublisher(time, 1);
    HecServer server =
        HecServer.open(
            Objects.requireNonNull(config.hec()),
            config.batch(),
            32 << 10,
            config.stream(),
            publisher,
            () -> true,
            TransactionMark.none(),
            time);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, new SecureRandom());
    try (SSLSocket client =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      String body = "{\"event\":\"one\"}";
      String request =
          "POST /services/collector HTTP/1.1\r\nHost: %s\r\nAuthorization: Splunk secret\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(host.contains("::") ? "[" + host + "]" : host, body.length(), body);
      client.getOutputStream().write(request.getBytes(ISO_8859_1));
      BufferedReader answer =
          new BufferedReader(new InputStreamReader(client.getInputStream(), ISO_8859_1));
      assertThat(answer.readLine()).isEqualTo("HTTP/1.1 200 OK");
      assertThat(publisher.messages()).hasSize(1);
    } finally {
      server.stop();
    }
  }
}
