package io.duplog.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RabbitMqIT {
  static RabbitMq broker;

  @BeforeAll
  static void start() {
    broker = RabbitMq.started();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void killed_startedAgain_hasConfirmedMessagesAtSameAddress() throws Exception {
    publishConfirmed("kept", "persistent");

    broker.kill();
    assertThatThrownBy(() -> broker.connections().newConnection())
        .isInstanceOf(ConnectException.class);
    broker.start();

    assertThat(get("kept")).isEqualTo("persistent");
  }

  @Test
  void stoppedApp_startedAgain_hasConfirmedMessages() throws Exception {
    publishConfirmed("app", "persistent");

    broker.stopApp();
    assertThatThrownBy(() -> broker.connections().newConnection()).isInstanceOf(IOException.class);
    broker.startApp();

    assertThat(broker.depth("app")).isEqualTo(1);
  }

  @Test
  void connection_closedByBroker_shutsDown() throws Exception {
    CountDownLatch down = new CountDownLatch(1);
    Connection connection = broker.connections().newConnection();
    connection.addShutdownListener(cause -> down.countDown());

    broker.closeConnections("test");

    assertThat(down.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void alarm_raisedAndCleared_blocksAndUnblocksPublisher() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch unblocked = new CountDownLatch(1);
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      connection.addBlockedListener(reason -> blocked.countDown(), unblocked::countDown);
      broker.raiseAlarm();
      channel.basicPublish("", "nowhere", null, new byte[1]);
      assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
      broker.clearAlarm();
      assertThat(unblocked.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void publishConfirmed(String queue, String text) throws Exception {
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      channel.confirmSelect();
      channel.queueDeclare(queue, true, false, false, null);
      channel.basicPublish(
          "",
          queue,
          MessageProperties.MINIMAL_PERSISTENT_BASIC,
          text.getBytes(StandardCharsets.UTF_8));
      channel.waitForConfirmsOrDie(30_000);
    }
  }

  private static String get(String queue) throws Exception {
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      GetResponse response = channel.basicGet(queue, true);
      return new String(response.getBody(), StandardCharsets.UTF_8);
    }
  }
}
