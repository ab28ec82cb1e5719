package io.duplog.ingest.hec;

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
  SC4S,
  /** syslog-ng. */
  SYSLOG_NG,
  /** OpenTelemetry's collector. */
  OPENTELEMETRY,
  /** rsyslog's omhttp. */
  RSYSLOG,
  /** Fluent Bit, whose hosts are URLs with the port of the connection. */
  FLUENT_BIT,
  /** One collector with a destination for each node, whose objects are equal throughout. */
  COPIES
}
