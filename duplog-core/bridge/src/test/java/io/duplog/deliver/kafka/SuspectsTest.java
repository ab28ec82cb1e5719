package io.duplog.deliver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.observe.Boards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.junit.jupiter.api.Test;

/**
 * Tests how a message is found that Kafka refuses for an unknown reason, and that others arrive.
 */
class SuspectsTest {
  private final KafkaStage stage = new KafkaStage("");
  private final KafkaSink sink = stage.sink;
  private final DeliveryRequests deliveries = stage.deliveries;
  private int answered;
  private int answeredProducers = 1;
  private int others;

  private static UnknownServerException unknown() {
    return new UnknownServerException("not even the broker knows");
  }

  /**
   * Lets Kafka answer what it was sent: a batch, which is all that is open, fails if it has a
   * poison.
   *
   * @return the number of records in the batch
   */
  private int answer() {
    if (stage.producers.size() != answeredProducers) {
      answeredProducers = stage.producers.size();
      answered = 0;
    }
    List<String> batch = stage.sent().subList(answered, stage.sent().size());
    boolean fails = batch.stream().anyMatch(text -> text.startsWith("poison"));
    int size = batch.size();
    for (int i = 0; i < size; i++) {
      if (fails) {
        stage.producer().errorNext(unknown());
      } else {
        stage.producer().completeNext();
      }
    }
    answered += size;
    return size;
  }

  /** Sends and answers until nothing is left to send now. */
  private void runAll() {
    do {
      stage.run();
    } while (answer() > 0);
  }

  /** Delivers other messages, which are accepted, and lets time pass for the next trial. */
  private void deliverOthers() {
    stage.pass(Duration.ofSeconds(5));
    for (int i = 0; i < 3; i++) {
      sink.deliver(deliveries.ofMessages("other" + others, "other " + others++));
      runAll();
    }
  }

  @Test
  void poison_becomesADeadLetter_afterOthersWereAccepted_andTheSinkStaysAvailable() {
    sink.deliver(deliveries.ofMessages("p", "poison"));
    runAll();
    assertThat(sink.isAvailable()).isTrue();
    assertThat(sink.isolated()).isEqualTo(1);
    assertThat(Boards.trouble(stage.board, "sink")).contains("not even the broker knows");
    for (int i = 0; deliveries.refused().isEmpty(); i++) {
      assertThat(i).isLessThan(10);
      deliverOthers();
      assertThat(sink.isAvailable()).isTrue();
    }
    assertThat(deliveries.refused().get(0).name()).isEqualTo("p-0");
    assertThat(deliveries.refused().get(0).reason())
        .isEqualTo(
            "Kafka refuses it: alone, 4 times while other records were accepted"
                + " (UnknownServerException: not even the broker knows)");
    deliveries.refused().get(0).kept().run();
    assertThat(deliveries.accepted()).hasSize(others + 1);
    assertThat(sink.isolated()).isZero();
    assertThat(Boards.trouble(stage.board, "sink")).isNull();
  }

  /** Otherwise one that was broken for a while would make dead letters of good messages. */
  @Test
  void message_isNotGivenUp_whileNothingElseIsAccepted() {
    sink.deliver(deliveries.ofMessages("p", "poison"));
    for (int i = 0; i < 100; i++) {
      stage.pass(Duration.ofSeconds(5));
      stage.run();
      while (stage.producer().errorNext(unknown())) {
        // each open record
      }
    }
    assertThat(deliveries.refused()).isEmpty();
    assertThat(sink.isAvailable()).as("others may come, and show what is wrong").isTrue();
    assertThat(stage.producers).as("the producer may be broken").hasSizeGreaterThan(10);
  }

  /** The halves of a batch are tried, so a poison among 1,000 costs some tries, and not 1,000. */
  @Test
  void poisonAmongMany_isFoundByHalves_andAllOthersArrive() {
    String[] messages =
        IntStream.range(0, 1000)
            .mapToObj(i -> i == 700 ? "poison" : "m" + i)
            .toArray(String[]::new);
    sink.deliver(deliveries.ofMessages("p", messages));
    int trials = 0;
    do {
      stage.run();
      trials++;
    } while (answer() > 0);
    assertThat(trials).isLessThan(60);
    assertThat(sink.isolated()).isEqualTo(1);
    List<String> arrived = new ArrayList<>(stage.sent());
    assertThat(arrived).contains("m0", "m699", "m701", "m999");
    for (int i = 0; deliveries.refused().isEmpty(); i++) {
      assertThat(i).isLessThan(10);
      deliverOthers();
    }
    assertThat(deliveries.refused().get(0).name()).isEqualTo("p-700");
    deliveries.refused().get(0).kept().run();
    assertThat(deliveries.accepted()).contains("p");
    assertThat(stage.producers).as("nothing under way was sent twice").hasSize(1);
  }

  @Test
  void trial_waitsForOpenRecords_andHoldsOthersOnlyUntilItsOutcome() {
    sink.deliver(deliveries.ofMessages("p", "poison"));
    sink.deliver(deliveries.ofMessages("q", "slow"));
    stage.run();
    stage.producer().errorNext(unknown());
    sink.deliver(deliveries.ofMessages("r", "later"));
    stage.run();
    assertThat(stage.sent()).as("slow is under way").containsExactly("poison", "slow");
    stage.producer().completeNext();
    stage.run();
    assertThat(stage.sent()).containsExactly("poison", "slow", "poison");
    stage.producer().errorNext(unknown());
    stage.run();
    assertThat(stage.sent()).endsWith("later");
  }

  /** A record without an answer, such as one for a deleted topic, must not stop all others. */
  @Test
  void openRecordThatNeverEnds_delaysATrial_andNotTheOthers() {
    sink.deliver(deliveries.ofMessages("p", "poison"));
    sink.deliver(deliveries.ofMessages("q", "never answered"));
    stage.run();
    stage.producer().errorNext(unknown());
    sink.deliver(deliveries.ofMessages("r", "later"));
    stage.run();
    assertThat(stage.sent()).doesNotContain("later");
    stage.pass(Duration.ofSeconds(3));
    stage.run();
    assertThat(stage.sent()).endsWith("later");
  }

  @Test
  void outageDuringATrial_isNoEvidence() {
    sink.deliver(deliveries.ofMessages("p", "poison"));
    runAll();
    for (int i = 0; i < 10; i++) {
      sink.deliver(deliveries.ofMessages("other" + i, "other"));
      stage.pass(Duration.ofSeconds(5));
      stage.run();
      while (stage.producer().errorNext(new TimeoutException("no broker"))) {
        // each open record
      }
    }
    assertThat(deliveries.refused()).isEmpty();
    assertThat(sink.isAvailable()).isFalse();
    assertThat(sink.isolated()).isEqualTo(1);
  }

  @Test
  void withdrawnSuspect_isForgotten() {
    sink.deliver(deliveries.ofMessages("p", "poison", "poison", "poison"));
    runAll();
    assertThat(sink.acceptsNothing()).isTrue();
    sink.withdraw();
    assertThat(deliveries.withdrawn()).containsExactly("p");
    assertThat(sink.acceptsNothing()).isFalse();
    assertThat(sink.isolated()).isZero();
    deliverOthers();
    assertThat(deliveries.refused()).isEmpty();
    assertThat(deliveries.accepted()).hasSize(3);
  }
}
