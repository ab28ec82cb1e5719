package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.reflect.Reflection;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import io.duplog.receive.DeadLetterBroker.Place;
import io.duplog.receive.DeadLetterBroker.Taken;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * Tests that no dead letter is lost or taken twice if the connection to its broker ends meanwhile.
 */
class DeadLetterBrokerTest {
  private static final Letter LETTER = new Letter(new AMQP.BasicProperties(), new byte[1]);

  /** Asks something while a letter is taken. */
  private interface Question {
    void ask(Taken taken) throws Exception;
  }

  private final DeadLetterBroker broker =
      new DeadLetterBroker(
          TestQueues.of("a", "nowhere", 1),
          (settings, name) ->
              Reflection.newProxy(
                  Connection.class,
                  (self, method, arguments) ->
                      method.getName().equals("createChannel") ? channel() : null));

  /** Names of what was published and answered. */
  private final List<String> told = new ArrayList<>();

  private int connections;
  private boolean lost;
  private boolean silent;

  private Channel channel() {
    connections++;
    lost = false;
    return Reflection.newProxy(Channel.class, (self, method, arguments) -> call(method));
  }

  private Object call(Method method) throws TimeoutException {
    return switch (method.getName()) {
      case "isOpen" -> !lost;
      case "basicGet" ->
          new GetResponse(new Envelope(1, false, "", ""), LETTER.properties(), new byte[1], 9);
      case "waitForConfirms" -> {
        if (silent) {
          throw new TimeoutException();
        }
        yield true;
      }
      case "basicPublish", "basicAck", "basicNack", "basicRecover" -> {
        told.add(method.getName());
        yield null;
      }
      default -> null;
    };
  }

  @Test
  void connectionThatEndedWhileALetterIsTaken_isNotReplacedSilently() throws Exception {
    Map<String, Question> questions =
        Map.of(
            "publish", taken -> broker.publish(Place.STREAM, LETTER),
            "next", taken -> broker.next(Place.DEAD_LETTERS),
            "done", broker::acknowledge,
            "back", broker::putBack,
            "all back", taken -> broker.putAllBack());
    for (Map.Entry<String, Question> question : questions.entrySet()) {
      Taken taken = broker.next(Place.DEAD_LETTERS);
      lost = true;

      assertThatThrownBy(() -> question.getValue().ask(taken), question.getKey())
          .hasMessage(
              "broker a nowhere:5672 was disconnected. The fetched dead letters are back in their queue.");
      broker.next(Place.DEAD_LETTERS); // of the same tag
      assertThatThrownBy(() -> broker.acknowledge(taken)).hasMessageContaining("was disconnected");
      broker.close();
    }
    assertThat(connections).isEqualTo(2 * questions.size());
    assertThat(told).isEmpty();
  }

  @Test
  void connectionThatEndedWhileNothingIsTaken_isReplaced() throws Exception {
    broker.acknowledge(broker.next(Place.DEAD_LETTERS));
    broker.next(Place.DEAD_LETTERS);
    broker.putAllBack();
    lost = true;

    broker.publish(Place.STREAM, LETTER);

    assertThat(connections).isEqualTo(2);
    assertThat(told).containsExactly("basicAck", "basicRecover", "basicPublish");
  }

  @Test
  void brokerThatDoesNotConfirm_isNotCalledUnreachable() {
    silent = true;

    assertThatThrownBy(() -> broker.publish(Place.STREAM, LETTER))
        .hasMessage("broker a nowhere:5672 has not confirmed a message within 5000 ms");
  }
}
