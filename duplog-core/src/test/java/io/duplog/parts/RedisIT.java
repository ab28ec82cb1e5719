package io.duplog.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisIT {
  static Redis redis;

  @BeforeAll
  static void start() {
    redis = Redis.started("--maxmemory", "8mb");
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @Test
  void killed_startedAgain_isEmptyAtSameAddress() throws Exception {
    redis.cli("set", "key", "value");
    assertThat(redis.cli("get", "key")).isEqualTo("value");

    redis.kill();
    assertThatThrownBy(RedisIT::ping).isInstanceOf(ConnectException.class);
    redis.start();

    assertThat(ping()).isEqualTo("+OK\r\n+PONG");
    assertThat(redis.cli("get", "key")).isEmpty();
  }

  @Test
  void stopped_startedAgain_keepsItsArguments() {
    redis.stop();
    redis.start();

    assertThat(redis.cli("config", "get", "maxmemory-policy")).endsWith("volatile-ttl");
  }

  @Test
  void paused_hangs_untilUnpaused() throws Exception {
    redis.pause();
    try {
      assertThatThrownBy(RedisIT::ping).isInstanceOf(SocketTimeoutException.class);
    } finally {
      redis.unpause();
    }

    assertThat(ping()).isEqualTo("+OK\r\n+PONG");
  }

  private static String ping() throws Exception {
    try (Socket socket = new Socket(redis.host(), redis.port())) {
      socket.setSoTimeout(500);
      socket
          .getOutputStream()
          .write(
              "AUTH %s %s\r\nPING\r\n"
                  .formatted(Redis.USER, Redis.PASSWORD)
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(10), StandardCharsets.US_ASCII);
    }
  }
}
