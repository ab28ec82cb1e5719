package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a queue's limits and a node's alarms are read from RabbitMQ's management API. */
class ManagementTest {
  private final Map<String, String> pages = new HashMap<>();
  private final Map<String, String> logins = new HashMap<>();
  private final HttpServer server;
  private int status = 200;

  ManagementTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getRawPath();
          logins.put(path, exchange.getRequestHeaders().getFirst("Authorization"));
          String page = pages.get(path);
          byte[] body = String.valueOf(page).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(page == null ? 404 : status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void queue_argumentsGoBeforeThePolicy() throws Exception {
    pages.put(
        "/api/queues/%2F/duplog%20x",
        """
        {"name":"duplog x","policy":"limits","messages_details":{"rate":0.0},"ids":[1,{"a":null}],
         "effective_policy_definition":{"max-length":5,"overflow":"drop-head"},
         "arguments":{"x-overflow":"reject-publish","x-queue-type":"classic"}}
        """);

    Management.Queue queue = management().queue("/", "duplog x");

    assertThat(queue.policy()).isEqualTo("limits");
    assertThat(queue.limits())
        .isEqualTo(
            Map.of("max-length", "5", "overflow", "reject-publish", "queue-type", "classic"));
    assertThat(logins).containsValue("Basic dTpwIHc=");
  }

  @Test
  void node_alarmsAndClock_areRead() throws Exception {
    pages.put(
        "/api/nodes",
        "[{\"name\":\"rabbit@a\",\"mem_alarm\":true,\"disk_free_alarm\":false},"
            + "{\"name\":\"rabbit@b\",\"disk_free_alarm\":true}]");

    Management.Node node = management().node();

    assertThat(node.alarms())
        .containsExactly("mem_alarm of rabbit@a", "disk_free_alarm of rabbit@b");
    assertThat(node.ahead()).isNotNull();
    assertThat(node.ahead().abs().toSeconds()).isLessThan(60);
  }

  @Test
  void refusals_areInWords() {
    assertThatThrownBy(() -> management().queue("/", "none"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("knows no /api/queues/%2F/none");
    pages.put("/api/nodes", "[]");
    status = 401;
    assertThatThrownBy(() -> management().node()).hasMessageContaining("rejects the user");
    status = 500;
    assertThatThrownBy(() -> management().node()).hasMessageContaining("answers 500");
    assertThatThrownBy(() -> Management.at("http://u:p@127.0.0.1:1").node())
        .hasMessageContaining("can't be reached");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://node:15672", "node:15672", "ftp://u:p@node", "http://secret@n", "::"})
  void url_withoutLoginOrHost_isRefused_andNotShown(String url) {
    assertThatThrownBy(() -> Management.at(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be like http://user:password@node:15672");
  }

  private Management management() {
    return Management.at("http://u:p%20w@127.0.0.1:" + server.getAddress().getPort() + "/");
  }
}
