package io.duplog.wire;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * The queues of an ingest node: the one place that says how they are declared. Shim and bridge both
 * declare them, so that either may come first, and RabbitMQ insists that both say the same.
 */
public final class Topology {

  /** The queue that a shim publishes to unless its configuration names another. */
  public static final String DEFAULT_QUEUE = "duplog";

  private static final Pattern STREAM = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private static final String DEAD_LETTER_SUFFIX = ".dead-letter";

  private Topology() {}

  /** What RabbitMQ keeps a queue's messages in. */
  public enum QueueType {
    CLASSIC("classic"),
    QUORUM("quorum");

    private final String argument;

    QueueType(String argument) {
      this.argument = argument;
    }
  }

  /**
   * The arguments of a stream's queue, which is durable, shared and not auto-deleted. A full queue
   * rejects what is published; RabbitMQ's default would drop its oldest message in silence. Length
   * limits belong into a policy, where they can be changed without declaring the queue anew.
   */
  public static Map<String, Object> queueArguments(QueueType type) {
    return Map.of("x-queue-type", type.argument, "x-overflow", "reject-publish");
  }

  /**
   * Whether this can name a stream: up to 64 lower-case letters, digits, dots, underscores and
   * hyphens, beginning with a letter or a digit.
   */
  public static boolean isStreamName(String name) {
    return STREAM.matcher(name).matches();
  }

  /** Where bodies go that a bridge can't use: a durable queue on the same broker. */
  public static String deadLetterQueue(String queue) {
    return queue + DEAD_LETTER_SUFFIX;
  }

  /** The arguments of a dead-letter queue. */
  public static Map<String, Object> deadLetterArguments() {
    return Map.of("x-queue-type", "classic", "x-overflow", "reject-publish");
  }
}
