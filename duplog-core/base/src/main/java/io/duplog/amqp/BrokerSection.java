package io.duplog.amqp;

import io.duplog.config.Secret;
import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A section of a configuration file that names a broker. */
public interface BrokerSection {
  String host();

  int port();

  String virtualHost();

  String user();

  Secret password();

  /** Returns the section {@code tls}; null for a connection in plain text. */
  @Nullable TlsConfig tls();

  /**
   * Returns the address, credentials and TLS settings for connecting to the broker.
   *
   * @param name what errors and the log call the broker, before its address
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
