package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.reflect.Reflection;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.impl.AMQImpl;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.observe.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests when a consumer returns batches that only a newer bridge can read, with a broker that
 * always delivers them to the same consumer again.
 */
class NewerBatchesTest {
  private static final Duration TICK = Duration.ofMillis(10);
  private static final String REASON = "batch of version 3, the newest known is 2";

  private final List<String> frames = new ArrayList<>();
  private final List<Long> returned = new ArrayList<>();
  private Consumer subscriber;
  private long lastTag;
  private long nanos;
  private boolean isStillThere = true;

  /** Time for which another bridge, which is as old, keeps what was returned. */
  private Duration elsewhere = Duration.ZERO;

  private long returnedNanos;
  private final Conditions board = Boards.at(() -> nanos);

  private final QueueConsumer consumer =
      new QueueConsumer(
          TestQueues.of("a", "nowhere", 10),
          AcknowledgePolicy.EACH,
          new HeldBytes(1 << 20),
          delivery -> {
            if (delivery.body().length == 0) {
              delivery.settle();
            } else {
              delivery.giveBack(REASON);
            }
          },
          new QueueConsumer.Environment(TestQueues.connector(this::channel), board, new Random(1)));

  private Channel channel() {
    return Reflection.newProxy(
        Channel.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "basicConsume" -> {
                frames.add("consume " + arguments[2]);
                subscriber = (Consumer) arguments[arguments.length - 1];
                yield "tag";
              }
              case "basicCancel" -> {
                frames.add("cancel");
                subscriber = null;
                yield null;
              }
              case "basicNack" -> {
                assertThat(subscriber).as("what is returned must not come back at once").isNull();
                assertThat(arguments[2]).as("requeue").isEqualTo(true);
                returned.add((Long) arguments[0]);
                returnedNanos = nanos;
                yield null;
              }
              case "basicAck" -> {
                frames.add("ack " + arguments[0]);
                yield null;
              }
              case "queueDeclarePassive" -> new AMQImpl.Queue.DeclareOk("duplog", 0, 1);
              default -> null;
            });
  }

  /** Delivers a batch of a newer version, or an empty body, which this bridge can read. */
  private void deliver(int bytes) throws IOException {
    lastTag++;
    subscriber.handleDelivery(
        "tag",
        new Envelope(lastTag, true, "", "duplog"),
        new AMQP.BasicProperties.Builder().headers(Map.of()).build(),
        new byte[bytes]);
  }

  /** Runs the consumer, to which the broker delivers again what it has returned. */
  private void runFor(Duration time) throws IOException {
    for (long end = nanos + time.toNanos(); nanos < end; nanos += TICK.toNanos()) {
      consumer.runOnce();
      if (subscriber != null
          && isStillThere
          && returned.contains(lastTag)
          && nanos - returnedNanos >= elsewhere.toNanos()) {
        deliver(1);
      }
    }
  }

  private Level level() {
    return board.condition("stream a").level();
  }

  @Test
  void newerBatch_goesBackAfterAPause_andTheConsumerThenYields() throws Exception {
    consumer.runOnce();
    deliver(1);
    runFor(Duration.ofMillis(400));
    assertThat(returned).as("not at once").isEmpty();
    assertThat(level()).isEqualTo(Level.DEGRADED);
    assertThat(board.condition("stream a").sentence())
        .contains("queue duplog contains messages that this bridge can't read (" + REASON + ")")
        .contains("Until one takes them, they wait in the queue")
        .endsWith("Upgrade this bridge.");

    isStillThere = false; // a newer bridge takes it
    runFor(Duration.ofSeconds(1));

    assertThat(returned).containsExactly(1L);
    assertThat(frames).containsExactly("consume {}", "cancel", "consume {x-priority=-1}");
  }

  /** The broker would otherwise send it thousands of times a second, and count that. */
  @Test
  void newerBatch_thatNoOtherBridgeTakes_comesLessAndLessOften() throws Exception {
    consumer.runOnce();
    deliver(1);
    runFor(Duration.ofHours(1));

    assertThat(returned.size()).isBetween(15, 40);
  }

  @Test
  void messagesBehindANewerBatch_areSettledMeanwhile() throws Exception {
    consumer.runOnce();
    deliver(1);
    deliver(0);
    runFor(Duration.ofMillis(20));

    assertThat(frames).containsExactly("consume {}", "ack 2");
    assertThat(returned).isEmpty();
  }

  @Test
  void newerBatches_areReturned_whileTheSinkIsUnavailable() throws Exception {
    consumer.runOnce();
    deliver(1);
    consumer.hold(true);
    runFor(Duration.ofSeconds(2));

    assertThat(returned).containsExactly(1L);
  }

  /** Otherwise each bridge would say that it has recovered, and begin with short pauses again. */
  @Test
  void condition_lastsWhileTwoOldBridgesTakeTurns() throws Exception {
    elsewhere = Duration.ofMinutes(3);
    List<String> lines =
        LogLines.of(
            QueueConsumer.class,
            () -> {
              consumer.runOnce();
              deliver(1);
              runFor(Duration.ofHours(2));
            });

    assertThat(lines).filteredOn(line -> line.contains("reading of all batches")).isEmpty();
  }

  /** Another bridge would otherwise keep this queue until a connection is lost. */
  @Test
  void priority_isTheConfiguredOneAgain_afterTheCondition() throws Exception {
    consumer.runOnce();
    deliver(1);
    isStillThere = false;
    runFor(Duration.ofMinutes(6));

    assertThat(frames)
        .containsExactly("consume {}", "cancel", "consume {x-priority=-1}", "cancel", "consume {}");
  }

  @Test
  void condition_endsWhenNoneHasComeForTheLongestPause() throws Exception {
    consumer.runOnce();
    deliver(1);
    isStillThere = false;
    runFor(Duration.ofMinutes(4));
    assertThat(level()).isEqualTo(Level.DEGRADED);

    runFor(Duration.ofMinutes(2));

    assertThat(level()).isEqualTo(Level.OK);
    isStillThere = true;
    deliver(1);
    runFor(Duration.ofSeconds(2));
    assertThat(returned).as("the pauses begin again").hasSize(2);
  }
}
