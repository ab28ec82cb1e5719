package io.duplog.wire;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The queues of an ingest node: the one place that says how they are declared. Shim and bridge both
 * declare them, so that either may come first, and RabbitMQ insists that both say the same.
 */
public final class Topology {

  /** The queue that a shim publishes to unless its configuration names another. */
  public static final String DEFAULT_QUEUE = "duplog";

  /** The most queues that a stream can be spread over: a broker with more cores is rare. */
  public static final int MOST_QUEUES = 64;

  private static final Pattern STREAM = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private static final Pattern QUEUE_NUMBER = Pattern.compile("\\.[0-9]+$");

  private static final String DEAD_LETTER_SUFFIX = ".dead-letter";
  private static final String WAITING_LETTERS_SUFFIX = ".refused";

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
   * The queues that share a stream's messages, in the order of {@link Partition}'s numbers. The
   * first has the name that it has alone, so that a stream that gets more leaves none behind.
   *
   * @param name of the first: {@code duplog}; the others are {@code duplog.1}, {@code duplog.2}
   * @param count 1 to {@link #MOST_QUEUES}
   */
  public static List<String> queues(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> i == 0 ? name : name + "." + i).toList();
  }

  /** A regular expression for the name of a queue and of those that share its messages. */
  public static String queuesPattern(String queue) {
    return "^" + QUEUE_NUMBER.matcher(queue).replaceFirst("") + "(\\.[0-9]+)?$";
  }

  /**
   * Whether this can name a stream: up to 64 lower-case letters, digits, dots, underscores and
   * hyphens, beginning with a letter or a digit.
   */
  public static boolean isStreamName(String name) {
    return STREAM.matcher(name).matches();
  }

  /**
   * Where bodies go that a bridge can't use, on the same broker, and events that the sink refuses,
   * on two: a durable queue.
   */
  public static String deadLetterQueue(String queue) {
    return queue + DEAD_LETTER_SUFFIX;
  }

  /**
   * Where letters of refused messages wait for room in the dead-letter queue, or for another
   * broker: a durable queue on the same broker, with a limit of its own.
   */
  public static String waitingLettersQueue(String queue) {
    return queue + WAITING_LETTERS_SUFFIX;
  }

  /** The arguments of a dead-letter queue, and of that of the letters that wait. */
  public static Map<String, Object> deadLetterArguments() {
    return Map.of("x-queue-type", "classic", "x-overflow", "reject-publish");
  }
}
