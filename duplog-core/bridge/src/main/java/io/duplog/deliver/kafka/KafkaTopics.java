package io.duplog.deliver.kafka;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.route.EventMetadata;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.observe.Trouble;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Chooses the topic of each record: the one that a rule sets, or else the sink's own. Remembers for
 * a while which topics of rules Kafka refuses, because the producer blocks all other records for
 * seconds when it asks for a topic that does not exist.
 *
 * <p>{@link #refresh} and {@link #of} belong to the sender; the other methods are thread-safe.
 *
 * @see "docs/decisions/sinks.md#syslog-and-kafka"
 */
final class KafkaTopics {
  /** Time for which a topic that Kafka refused is not tried again, in nanoseconds. */
  private static final long REFUSAL_NANOS = Duration.ofSeconds(30).toNanos();

  /**
   * Why Kafka refuses a topic.
   *
   * @param sinceNanos time of the latest try
   */
  private record Refusal(String reason, long sinceNanos) {}

  private final String ownTopic;
  private final @Nullable Routing rules;
  private final @Nullable EventMetadata metadata;
  private final boolean isSinkRequired;
  private final LongSupplier nanoClock;
  private final Trouble trouble;
  private final Map<String, Refusal> refusalsByTopic = new ConcurrentHashMap<>();

  /** Whether any rule sets a topic, so that messages have to be read. */
  private boolean isSetByRules;

  /**
   * @param ownTopic the topic of messages for which no rule sets one
   * @param sink the sink's name for log lines
   */
  KafkaTopics(
      String ownTopic, @Nullable Routing rules, String sink, Logger log, SinkContext context) {
    this.ownTopic = ownTopic;
    this.rules = rules;
    this.metadata = rules == null ? null : new EventMetadata(rules);
    this.isSinkRequired = context.isRequired();
    this.nanoClock = context.board().nanoClock();
    this.trouble =
        context
            .board()
            .trouble(
                log, "topics of " + sink, context.subject(), Level.ATTENTION, Runbook.DEAD_LETTERS);
    this.isSetByRules = rules != null && !rules.topics().isEmpty();
  }

  /** Switches to the current rules. Forgets the refused topics that they no longer set. */
  void refresh() {
    if (rules != null && metadata != null && metadata.refresh()) {
      isSetByRules = !rules.topics().isEmpty();
      refusalsByTopic.keySet().retainAll(rules.topics());
      recoverIfNoneIsRefused();
    }
  }

  /** Returns the topic of a message. */
  String of(DeliveryRequest delivery, int message) {
    if (metadata == null || !isSetByRules) {
      return ownTopic;
    }
    metadata.read(delivery.original(), message, delivery.receivedMillis());
    return Objects.requireNonNullElse(metadata.route().topic(), ownTopic);
  }

  /** Returns why Kafka has just refused a topic, or null if the topic is to be tried. */
  @Nullable String refusal(String topic) {
    Refusal refusal = refusalsByTopic.get(topic);
    return refusal == null || nanoClock.getAsLong() - refusal.sinceNanos() >= REFUSAL_NANOS
        ? null
        : refusal.reason();
  }

  /**
   * Called when a record of a topic failed. Remembers the failure if Kafka refuses the topic, and
   * the topic is not the sink's own. Without its own topic, the sink can't work at all.
   *
   * @return why Kafka refuses the topic, or null if the failure is another one
   */
  @Nullable String refused(String topic, Exception failure) {
    String problem = topic.equals(ownTopic) ? null : problem(failure);
    if (problem == null) {
      return null;
    }
    String reason = "topic " + topic + ", which a rule sets, " + problem;
    refusalsByTopic.put(topic, new Refusal(reason, nanoClock.getAsLong()));
    trouble.occurred(
        topic,
        "Kafka refuses messages: "
            + reason
            + ". These messages "
            + (isSinkRequired ? "become dead letters" : "are missing there")
            + "; other topics get theirs. Create the topic, correct the user's rights, or correct"
            + " the rule. The bridge tries the topic every "
            + Duration.ofNanos(REFUSAL_NANOS).toSeconds()
            + " s.");
    return reason;
  }

  private static @Nullable String problem(Exception failure) {
    Throwable cause = failure instanceof TimeoutException ? failure.getCause() : failure;
    if (cause instanceof UnknownTopicOrPartitionException) {
      return "does not exist";
    }
    if (cause instanceof TopicAuthorizationException) {
      return "is not allowed for this user";
    }
    return cause instanceof InvalidTopicException ? "has a name that Kafka does not allow" : null;
  }

  /** Called when Kafka has acknowledged a record of a topic. */
  void accepted(String topic) {
    if (!refusalsByTopic.isEmpty() && refusalsByTopic.remove(topic) != null) {
      recoverIfNoneIsRefused();
    }
  }

  private void recoverIfNoneIsRefused() {
    if (refusalsByTopic.isEmpty()) {
      trouble.recovered();
    }
  }
}
