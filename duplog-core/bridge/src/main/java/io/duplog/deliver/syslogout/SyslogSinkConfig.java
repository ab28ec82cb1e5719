package io.duplog.deliver.syslogout;

import com.google.common.net.HostAndPort;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.tls.TlsConfig;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The configuration section {@code sink.syslog}, which names the receiver of syslog. */
public record SyslogSinkConfig(
    @Key(
            doc =
                "The receiver, as host:port; the default port is 6514. If there are several, the"
                    + " next one is used when a connection fails.",
            example = "siem.example.com:6514")
        List<String> addresses,
    @Key(
            doc =
                "octet-counting: each message follows its length, and is sent unchanged. newline:"
                    + " each message is a line, in which a line feed becomes #012.",
            defaultValue = "octet-counting")
        SyslogFraming framing,
    @Key(
            doc =
                "Turns on TLS, even if the section is empty ({}). You may replace each file at any"
                    + " time, without a restart.",
            whereWanted = true)
        @Nullable TlsConfig tls,
    @Key(
            doc =
                "Messages count as delivered if the connection is still open this long after they"
                    + " were written. The receiver confirms nothing.",
            defaultValue = "200ms")
        Duration confirmAfter,
    @Key(doc = "Maximum time to connect.", defaultValue = "2s") Duration connectTimeout,
    @Key(
            doc =
                "Time after which a receiver that reads nothing counts as hanging. The messages of"
                    + " the last write are then sent on another connection.",
            defaultValue = "10s")
        Duration writeTimeout) {
  private static final int PORT = 6514;
  private static final Duration MAX_CONFIRM = Duration.ofSeconds(5);

  public SyslogSinkConfig {
    Checks.addresses("addresses", addresses, PORT, tls != null);
    Checks.positive("confirm-after", confirmAfter);
    if (confirmAfter.compareTo(MAX_CONFIRM) > 0) {
      throw Checks.refuse("confirm-after", "must not be longer than 5s");
    }
    Checks.positive("connect-timeout", connectTimeout);
    Checks.positive("write-timeout", writeTimeout);
  }

  /** Returns the receivers, the preferred one first. */
  List<HostAndPort> receivers() {
    return Checks.addresses("addresses", addresses, PORT, tls != null);
  }

  /** Returns the sink's name for log lines. */
  String displayName() {
    return "sink syslog " + String.join(", ", addresses);
  }
}
