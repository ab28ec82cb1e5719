package io.duplog.deliver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.observe.Boards;
import io.duplog.wire.EventHead;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;

/** Tests which topic a message gets, and what happens to the message if Kafka refuses the topic. */
class KafkaTopicsTest {
  private static final String RULES =
      """
      {match: {program: [fw]}, set: {topic: firewall}},
      {match: {program: [app]}, set: {index: main}},
      {match: {event: {sourcetype: [audit]}}, set: {topic: audit}},
      {match: {message: pin=}, mask: [{pattern: 'pin=[0-9]+', replacement: 'pin=*'}]}
      """;

  private final KafkaStage stage = new KafkaStage(RULES);
  private final DeliveryRequests deliveries = stage.deliveries;

  /** Returns what the producer reports if the cluster answers that a topic does not exist. */
  private static TimeoutException absent() {
    return new TimeoutException(
        "not present after 5 s", new UnknownTopicOrPartitionException("none"));
  }

  private void deliver(String name, String... messages) {
    stage.sink.deliver(deliveries.ofMessages(name, messages));
    stage.run();
  }

  private List<String> sent() {
    return stage.producer().history().stream()
        .map(record -> record.topic() + ": " + KafkaStage.value(record))
        .toList();
  }

  private List<String> refused() {
    return deliveries.refused().stream().map(DeliveryRequests.Refused::reason).toList();
  }

  @Test
  void message_goesToTheTopicOfItsRule_orElseToTheSinks() {
    deliver("p", "<13>fw: one", "<13>app: two", "three");
    stage.sink.deliver(
        deliveries.ofEvent(
            "q",
            new EventHead(null, null, null, "audit", null, null, EventHead.Content.TEXT),
            "10.0.0.1 four"));
    stage.run();
    assertThat(sent())
        .containsExactly("firewall: <13>fw: one", "t: <13>app: two", "t: three", "audit: four");
  }

  @Test
  void topicThatDoesNotExist_refusesItsMessages_andOthersContinue() {
    deliver("p", "<13>fw: one", "two");
    stage.producer().errorNext(absent());
    stage.producer().completeNext();
    assertThat(refused())
        .containsExactly("Kafka refuses it: topic firewall, which a rule sets, does not exist");
    deliveries.refused().get(0).kept().run();
    assertThat(deliveries.accepted()).containsExactly("p");
    assertThat(stage.sink.isAvailable()).isTrue();
    assertThat(Boards.trouble(stage.board, "sink")).contains("topic firewall", "Create the topic");
    assertThat(stage.producers).as("others are not sent again").hasSize(1);

    // The producer would block for seconds at each record of such a topic.
    deliver("q", "<13>fw: three", "four");
    assertThat(sent()).containsExactly("firewall: <13>fw: one", "t: two", "t: four");
    assertThat(refused()).hasSize(2);

    stage.pass(Duration.ofSeconds(31));
    deliver("r", "<13>fw: five");
    assertThat(sent()).endsWith("firewall: <13>fw: five");
    stage.producer().completeNext(); // four
    stage.producer().completeNext();
    assertThat(deliveries.accepted()).containsExactly("p", "r");
    assertThat(Boards.trouble(stage.board, "sink")).isNull();
  }

  @Test
  void topicThatIsNotAllowed_refusesItsMessages() {
    deliver("p", "<13>fw: one");
    stage.producer().errorNext(new TopicAuthorizationException("no"));
    assertThat(refused())
        .containsExactly(
            "Kafka refuses it: topic firewall, which a rule sets, is not allowed for this user");
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  /** Nothing can be delivered without it, so messages wait in the brokers' queues. */
  @Test
  void sinksOwnTopic_thatDoesNotExist_makesTheSinkUnavailable() {
    deliver("p", "one");
    stage.producer().errorNext(absent());
    assertThat(refused()).isEmpty();
    assertThat(stage.sink.isAvailable()).isFalse();
  }

  /** A cluster that does not answer says nothing about a topic. */
  @Test
  void timeOutWithoutAnAnswer_refusesNothing() {
    deliver("p", "<13>fw: one");
    stage.producer().errorNext(new TimeoutException("no broker"));
    assertThat(refused()).isEmpty();
    assertThat(stage.sink.isAvailable()).isFalse();
  }

  /** Otherwise no answer would come that ends the sink's absence. */
  @Test
  void refusedTopic_isTriedAtOnce_whileTheSinkIsUnavailable() {
    deliver("p", "<13>fw: one", "two");
    stage.producer().errorNext(absent());
    stage.producer().errorNext(new TimeoutException("no broker"));
    stage.sink.withdraw();
    assertThat(stage.sink.isAvailable()).isFalse();
    stage.pass(Duration.ofSeconds(6));
    deliver("q", "<13>fw: three");
    assertThat(sent()).contains("firewall: <13>fw: three");
  }
}
