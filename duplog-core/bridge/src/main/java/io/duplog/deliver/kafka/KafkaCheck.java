package io.duplog.deliver.kafka;

import io.duplog.deliver.SinkException;
import io.duplog.deliver.route.Routing;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.jspecify.annotations.Nullable;

/** Checks whether a cluster can be reached and has the topics of a sink. */
public final class KafkaCheck {
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(10);

  private KafkaCheck() {}

  /**
   * Asks the cluster for the sink's topic and those that rules set, and sends nothing.
   *
   * @throws SinkException if the cluster can't be reached, or this user can't see a topic
   */
  public static void check(KafkaSinkConfig config, @Nullable Routing rules) throws SinkException {
    Set<String> names = new LinkedHashSet<>(List.of(config.topic()));
    names.addAll(rules == null ? Set.of() : rules.topics());
    String asked = config.topic();
    try (Admin admin = Admin.create(config.connection())) {
      Map<String, KafkaFuture<TopicDescription>> answers =
          admin.describeTopics(names).topicNameValues();
      for (String topic : names) {
        asked = topic;
        Objects.requireNonNull(answers.get(topic)).get(CHECK_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      }
    } catch (TimeoutException e) {
      throw new SinkException(
          config.displayName() + ": no answer within " + CHECK_TIMEOUT.toSeconds() + " s", e);
    } catch (ExecutionException | KafkaException e) {
      String which = asked.equals(config.topic()) ? "" : "topic " + asked + " of a rule: ";
      throw new SinkException(config.displayName() + ": " + which + KafkaFailure.reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SinkException(config.displayName() + ": the check was interrupted", e);
    }
  }
}
