package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.reflect.Reflection;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.impl.AMQImpl;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.observe.LogLines;
import io.duplog.wire.StreamBroker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests what a consumer reports about its connection to RabbitMQ, in every state of the connection.
 */
class ConsumerTroubleTest {
  private final List<String> whileClosing = new ArrayList<>();
  private boolean broken;
  private boolean away;
  private @Nullable String identity;
  private long nanos;
  private final Conditions board = Boards.at(() -> nanos);

  /** Number of messages in the queue that the stream had before. */
  private int left;

  private final QueueConsumer consumer =
      new QueueConsumer(
          TestQueues.of("a", "nowhere", new QueueShare(1, 0, 0, List.of("duplog.1"))),
          AcknowledgePolicy.EACH,
          new HeldBytes(1 << 20),
          delivery -> {},
          new QueueConsumer.Environment(
              new Connector() {
                @Override
                public Connection connect(QueueSettings settings, String name) throws IOException {
                  return connection();
                }

                @Override
                public @Nullable String identify(QueueSettings settings, Connection connection) {
                  return identity;
                }
              },
              board,
              new Random(1)));

  private @Nullable String trouble() {
    return Boards.trouble(board, "stream a");
  }

  private Level level() {
    return board.condition("stream a").level();
  }

  private Connection connection() throws IOException {
    if (away) {
      throw new IOException("no route to host");
    }
    return Reflection.newProxy(
        Connection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "createChannel" -> channel();
              case "getServerProperties" -> Map.of();
              case "abort" -> {
                whileClosing.add(String.valueOf(trouble()));
                yield null;
              }
              default -> null;
            });
  }

  private Channel channel() {
    return Reflection.newProxy(
        Channel.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "basicConsume" -> "tag";
              case "queueDeclarePassive" -> {
                if (broken) {
                  throw new IOException("connection reset");
                }
                boolean before = "duplog.1".equals(arguments[0]);
                yield new AMQImpl.Queue.DeclareOk("duplog", before ? left : 0, 1);
              }
              default -> null;
            });
  }

  private void step() {
    consumer.runOnce();
    nanos += 10_000_000_000L;
  }

  /** The close waits for the broker for a second, or longer. */
  @Test
  void connectionThatWasLost_isSoSaid_whileItIsClosed() {
    assertThat(trouble()).startsWith("Not connected yet");
    step();
    assertThat(trouble()).isNull();

    broken = true;
    step();
    assertThat(whileClosing).singleElement().asString().contains("connection reset");
    assertThat(trouble()).contains("connection reset", "Reconnecting every 1 s");
  }

  @Test
  void brokerThatCantBeIdentifiedNow_isSoSaid_andAskedAgain() {
    identity = "";
    step();
    assertThat(trouble()).contains("can't be identified", "without deduplication");
    assertThat(level()).isEqualTo(Level.DEGRADED);

    identity = "rabbit@a one";
    step();
    step();
    assertThat(trouble()).isNull();
    assertThat(consumer.broker()).extracting(StreamBroker::id).isEqualTo("rabbit@a one");
  }

  /**
   * Otherwise it would disagree with bridges that connect later, for as long as it is connected.
   */
  @Test
  void brokerWhoseIdentityChanges_isSeenByAnOpenConnection_andKeptWhileNobodyKnows() {
    identity = "rabbit@a one";
    step();
    identity = "rabbit@a two";
    step();
    assertThat(consumer.broker()).extracting(StreamBroker::id).isEqualTo("rabbit@a one");
    for (int i = 0; i < 6; i++) {
      step();
    }
    assertThat(consumer.broker()).extracting(StreamBroker::id).isEqualTo("rabbit@a two");

    identity = "";
    for (int i = 0; i < 7; i++) {
      step();
    }
    assertThat(consumer.broker()).extracting(StreamBroker::id).isEqualTo("rabbit@a two");
    assertThat(trouble()).isNull();
  }

  @Test
  void connectionThatIsGivenBack_isNotCalledNew() {
    step();
    away = true;
    consumer.giveBack();
    step();
    assertThat(whileClosing)
        .singleElement()
        .asString()
        .contains("is reconnecting, because its deliveries were returned to the broker");
    assertThat(trouble()).contains("no route to host");

    away = false;
    step();
    assertThat(trouble()).isNull();
  }

  @Test
  void messagesInAQueueThatIsReadNoMore_areSaidOnce_andDoubtIsThereUntilTheyAreGone()
      throws Exception {
    left = 7;
    List<String> lines =
        LogLines.of(
            QueueConsumer.class,
            () -> {
              for (int i = 0; i < 8; i++) {
                step();
              }
            });
    String said =
        "7 batches wait in duplog.1 of broker a nowhere:5672, which this configuration does not read";
    assertThat(lines)
        .filteredOn(line -> line.contains(said))
        .singleElement()
        .asString()
        .startsWith("WARN ")
        .contains("until 'rabbitmqctl list_queues' shows them empty");
    assertThat(trouble()).startsWith(said);
    assertThat(level()).isEqualTo(Level.DEGRADED);

    left = 0;
    for (int i = 0; i < 8; i++) {
      step();
    }
    assertThat(trouble()).isNull();
  }
}
