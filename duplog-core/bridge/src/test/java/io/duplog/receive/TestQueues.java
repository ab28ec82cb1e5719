package io.duplog.receive;

import com.google.common.reflect.Reflection;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.duplog.amqp.BrokerLogin;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates the configuration of queues for tests. Most tests never connect to these queues. */
public final class TestQueues {
  private TestQueues() {}

  /** Returns a connector without a network, whose connections have only channels. */
  static Connector connector(Supplier<Channel> channels) {
    return new Connector() {
      @Override
      public Connection connect(QueueSettings settings, String name) {
        return Reflection.newProxy(
            Connection.class,
            (self, method, arguments) ->
                method.getName().equals("createChannel") ? channels.get() : null);
      }

      @Override
      public @Nullable String identify(QueueSettings settings, Connection connection) {
        return null;
      }
    };
  }

  static QueueSettings of(String stream, String host, int prefetch) {
    return of(stream, host, Topology.QueueType.CLASSIC, prefetch);
  }

  public static QueueSettings of(
      String stream, String host, Topology.QueueType type, int prefetch) {
    Duration second = Duration.ofSeconds(1);
    return of(
        stream, new BrokerLogin(host, 5672, "/", "u", "p", second, second, null), type, prefetch);
  }

  static QueueSettings of(String stream, String host, QueueShare share) {
    QueueSettings whole = of(stream, host, 10);
    return new QueueSettings(
        stream,
        whole.login(),
        whole.queue(),
        whole.queueType(),
        share,
        whole.prefetch(),
        whole.retryMin(),
        whole.retryMax());
  }

  static QueueSettings of(String stream, BrokerLogin login, Topology.QueueType type, int prefetch) {
    Duration second = Duration.ofSeconds(1);
    return new QueueSettings(
        stream, login, Topology.DEFAULT_QUEUE, type, QueueShare.WHOLE, prefetch, second, second);
  }
}
