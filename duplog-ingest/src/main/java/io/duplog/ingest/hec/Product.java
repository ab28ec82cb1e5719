package io.duplog.ingest.hec;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A product that sends events. Two instances of a product receive the same messages. The difference
 * between the events that they send for one message depends on the product.
 *
 * @see "docs/decisions/hec-in.md#identity"
 */
public enum Product {
  /** Any product whose two instances send equal events, apart from time and indexed fields. */
  OTHER,
  /**
   * Splunk Connect for Syslog. An event's time counts if the message had one. The events with which
   * an instance reports on itself are never the same as those of another instance.
   */
  SC4S(
      "SC4S",
      "sc4s/",
      "keeps events in memory first, and loses those if it is killed",
      "SC4S_DEST_SPLUNK_HEC_DEFAULT_DISKBUFF_RELIABLE=yes"),
  /** syslog-ng. */
  SYSLOG_NG(
      "syslog-ng",
      "syslog-ng",
      "keeps events in memory only, and loses those that don't fit, or if it ends",
      "disk-buffer(reliable(yes))"),
  /** OpenTelemetry's collector. */
  OPENTELEMETRY(
      "OpenTelemetry's collector",
      "OpenTelemetry",
      "gives events up after 300 s, and sends a request twice after 10 s without an answer",
      "retry_on_failure: {max_elapsed_time: 0s} and timeout: 60s"),
  /** rsyslog's omhttp. */
  RSYSLOG(
      "rsyslog's omhttp",
      "Rsyslog-omhttp",
      "gives events up when a request fails",
      "action.resumeRetryCount=\"-1\""),
  /** Fluent Bit, whose hosts are URLs with the port of the connection. */
  FLUENT_BIT(
      "Fluent Bit", "Fluent-Bit", "gives events up after one retry", "retry_limit no_limits"),
  /** One collector with a destination for each node, whose objects are equal throughout. */
  COPIES;

  private final String title;
  private final @Nullable String userAgentStart;
  private final String lossByDefault;
  private final String remedy;

  /** Creates a product that no request tells. */
  Product() {
    this("", null, "", "");
  }

  Product(String title, @Nullable String userAgentStart, String lossByDefault, String remedy) {
    this.title = title;
    this.userAgentStart = userAgentStart;
    this.lossByDefault = lossByDefault;
    this.remedy = remedy;
  }

  /** Returns the product that sends a header User-Agent, or null if none of these does. */
  static @Nullable Product of(@Nullable String userAgent) {
    for (Product each : values()) {
      if (userAgent != null
          && each.userAgentStart != null
          && userAgent.startsWith(each.userAgentStart)) {
        return each;
      }
    }
    return null;
  }

  /** Returns the product's own name. */
  String title() {
    return title;
  }

  /** Returns how the product's default settings lose events, as a predicate. */
  String lossByDefault() {
    return lossByDefault;
  }

  /** Returns the settings of the product that prevent the loss. */
  String remedy() {
    return remedy;
  }

  /** Returns the word of the configuration. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Whether events of a client have the identity that they need under a token of this product.
   *
   * @param client product of the client
   */
  boolean suits(Product client) {
    return switch (client) {
      case SC4S, FLUENT_BIT -> this == client || this == COPIES;
      case OTHER, SYSLOG_NG, OPENTELEMETRY, RSYSLOG, COPIES -> this != SC4S;
    };
  }
}
