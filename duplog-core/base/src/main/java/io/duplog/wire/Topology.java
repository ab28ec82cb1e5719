package io.duplog.wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Defines the names and arguments of a node's RabbitMQ queues. Shim and bridge both declare the
 * queues, so that either may start first; RabbitMQ requires equal declarations.
 */
public final class Topology {

  /** Name of the queue that a shim publishes to, unless its configuration names another queue. */
  public static final String DEFAULT_QUEUE = "duplog";

  /** Maximum number of queues of one stream; hardly any broker has more cores. */
  public static final int MOST_QUEUES = 64;

  /** Rule for the name of a stream, worded for an administrator. */
  public static final String STREAM_NAME_RULE =
      "must be lower-case letters, digits, '.', '_' and '-', 64 at most, beginning with a letter or"
          + " digit";

  private static final Pattern STREAM_NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private static final Pattern QUEUE_NUMBER = Pattern.compile("\\.[0-9]+$");

  private Topology() {}

  /** The RabbitMQ type of a queue, which is the value of its argument {@code x-queue-type}. */
  public enum QueueType {
    CLASSIC("classic"),
    QUORUM("quorum");

    private final String argument;

    QueueType(String argument) {
      this.argument = argument;
    }
  }

  /**
   * Returns the arguments of a stream's queue, which is durable, non-exclusive and not
   * auto-deleted. A full queue rejects publications, because RabbitMQ's default would silently drop
   * its oldest message. Length limits belong in a policy, where they can be changed without
   * declaring the queue again.
   */
  public static Map<String, Object> queueArguments(QueueType type) {
    return Map.of("x-queue-type", type.argument, "x-overflow", "reject-publish");
  }

  /**
   * Returns the names of the queues that share a stream's messages, in the order of {@link
   * Partition}'s numbers. The first queue has the name of a single queue, so that no queue is
   * abandoned when a stream gets more queues.
   *
   * @param name name of the first queue, such as {@code duplog}; the others are {@code duplog.1},
   *     {@code duplog.2} and so on
   * @param count 1 to {@link #MOST_QUEUES}
   */
  public static List<String> queues(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> i == 0 ? name : name + "." + i).toList();
  }

  /**
   * Returns the names of further queues that a stream may have had. Messages may wait in such a
   * queue if the stream had more queues before.
   */
  public static List<String> queuesBeyond(String name, int count) {
    return queues(name, MOST_QUEUES).subList(count, MOST_QUEUES);
  }

  /** Returns the name of the first queue of the stream that a queue belongs to. */
  public static String firstQueue(String queue) {
    return QUEUE_NUMBER.matcher(queue).replaceFirst("");
  }

  /**
   * Returns a regular expression for the names of all queues of the stream that a queue belongs to.
   */
  public static String queuesPattern(String queue) {
    return "^" + firstQueue(queue) + "(\\.[0-9]+)?$";
  }

  /** Whether a name follows the {@link #STREAM_NAME_RULE}. */
  public static boolean isStreamName(String name) {
    return STREAM_NAME.matcher(name).matches();
  }

  /**
   * Returns the name of the durable queue for dead letters. A body that a bridge can't decode goes
   * there on the same broker; an event that the sink refuses goes there on two brokers.
   */
  public static String deadLetterQueue(String queue) {
    return queue + ".dead-letter";
  }

  /**
   * Returns the name of the durable queue in which dead letters of refused messages wait for space
   * in the dead-letter queue, or for a second broker.
   */
  public static String waitingLettersQueue(String queue) {
    return queue + ".refused";
  }

  /** Returns the name of the durable queue whose only message identifies the broker to bridges. */
  public static String identityQueue(String queue) {
    return firstQueue(queue) + ".identity";
  }

  /**
   * Returns the arguments of the identity queue. It holds one message, which one bridge at a time
   * reads and returns, any number of times.
   *
   * @param type type of the stream's queues, so that the identity queue is available whenever they
   *     are
   */
  public static Map<String, Object> identityArguments(QueueType type) {
    Map<String, Object> arguments = new HashMap<>(queueArguments(type));
    arguments.put("x-max-length", 1);
    arguments.put("x-single-active-consumer", true);
    if (type == QueueType.QUORUM) {
      arguments.put("x-delivery-limit", Integer.MAX_VALUE);
    }
    return arguments;
  }

  /** Returns the arguments of the dead-letter queue and of {@link #waitingLettersQueue}. */
  public static Map<String, Object> deadLetterArguments() {
    return queueArguments(QueueType.CLASSIC);
  }
}
