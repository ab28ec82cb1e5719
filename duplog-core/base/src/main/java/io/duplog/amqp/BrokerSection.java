package io.duplog.amqp;

import io.duplog.config.Secret;
import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A configuration section with the address and credentials of a RabbitMQ, such as the shim and the
 * bridge have.
 */
public interface BrokerSection {
  String host();

  int port();

  String virtualHost();

  String user();

  Secret password();

  /** Returns the section {@code tls}, or null for a connection in plain text. */
  @Nullable TlsConfig tls();

  /**
   * Returns the address, credentials and TLS settings for connecting to the broker.
   *
   * @param name name of the broker in errors and log lines, where its address follows
   */
  default BrokerLogin login(String name, Duration connectTimeout, Duration heartbeat) {
    TlsConfig tls = tls();
    return new BrokerLogin(
        host(),
        port(),
        virtualHost(),
        user(),
        password().reveal(),
        connectTimeout,
        heartbeat,
        tls == null ? null : Tls.ofClient("%s %s:%d".formatted(name, host(), port()), tls));
  }
}
