package io.duplog.ingest.publish;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.duplog.amqp.BatchProperties;
import io.duplog.amqp.BrokerFailure;
import io.duplog.amqp.BrokerLogin;
import io.duplog.wire.Envelope;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** RabbitMQ by AMQP 0-9-1. No other class of the shim uses RabbitMQ's Java client. */
final class AmqpBroker implements Broker {
  private static final int CLOSE_MILLIS = 1_000;
  private static final int CONFIRM_MILLIS = 10_000;

  /** AMQP's delivery mode for messages that the broker does not write to its disk. */
  private static final int TRANSIENT = 1;

  private final BrokerSettings settings;
  private final BrokerLogin login;
  private final List<String> queues;
  private final String connectionName;

  AmqpBroker(BrokerSettings settings, String connectionName) {
    this.settings = settings;
    this.login = settings.login();
    this.queues = settings.queues();
    this.connectionName = connectionName;
  }

  @Override
  public List<String> queues() {
    return queues;
  }

  @Override
  public Session connect(Listener listener) throws IOException {
    Connection connection = null;
    try {
      connection = login.connect(connectionName);
      connection.addBlockedListener(listener::blocked, listener::unblocked);
      Channel channel = channelOf(connection);
      OpenSession session = new OpenSession(channel, connection.createChannel(), listener);
      session.declareQueues();
      channel.confirmSelect();
      channel.addConfirmListener(listener::acked, listener::nacked);
      channel.addReturnListener(
          returned -> listener.returned(String.valueOf(returned.getProperties().getMessageId())));
      // Called at once if the channel is already closed. A channel dies with its connection.
      channel.addShutdownListener(cause -> tellOver(cause, listener));
      return session;
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      abort(connection);
      throw refused(settings.queue(), e);
    }
  }

  private static void tellOver(ShutdownSignalException cause, Listener listener) {
    if (BrokerFailure.isTooLarge(cause)) {
      listener.tooLarge(BrokerFailure.reason(cause));
    } else {
      listener.lost("lost (" + BrokerFailure.reason(cause) + ")");
    }
  }

  /**
   * Tests whether the broker accepts a body of this many bytes, which is put into no queue.
   *
   * @throws IOException in words for an operator, if the broker does not accept such a body
   */
  void checkTakes(int bytes) throws IOException, InterruptedException {
    Connection connection = null;
    AtomicReference<@Nullable String> blockReason = new AtomicReference<>();
    try {
      connection = login.connect(connectionName);
      connection.addBlockedListener(blockReason::set, () -> blockReason.set(null));
      Channel channel = channelOf(connection);
      channel.confirmSelect();
      channel.basicPublish("", "duplog.no-queue." + UUID.randomUUID(), null, new byte[bytes]);
      channel.waitForConfirms(CONFIRM_MILLIS);
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      String alarm = blockReason.get();
      if (alarm != null && e instanceof TimeoutException) {
        throw new RefusedException("takes nothing from publishers (" + alarm + ")", e);
      }
      throw BrokerFailure.isTooLarge(e)
          ? new RefusedException(
              "takes no body of %d bytes (%s): raise its max_message_size, or lower batch.max-bytes and omprog.max-message"
                  .formatted(bytes, BrokerFailure.reason(e)),
              e)
          : refused(settings.queue(), e);
    } finally {
      abort(connection);
    }
  }

  /** Failure whose message is already worded for an operator. */
  private static final class RefusedException extends IOException {
    RefusedException(String words, @Nullable Throwable cause) {
      super(words, cause);
    }
  }

  private RefusedException refused(String queue, Exception cause) {
    return cause instanceof RefusedException known
        ? known
        : new RefusedException(BrokerFailure.describe(login, queue, cause), cause);
  }

  private static Channel channelOf(Connection connection) throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new RefusedException("gives no channel: its channel_max is reached", null);
    }
    return channel;
  }

  private static void abort(@Nullable Connection connection) {
    if (connection != null) {
      connection.abort(CLOSE_MILLIS);
    }
  }

  private final class OpenSession implements Session {
    private final Channel channel;

    /**
     * Channel without confirms, so that heartbeats don't affect the confirms of batches. Null if
     * the broker gives no second channel.
     */
    private final @Nullable Channel heartbeats;

    private final Listener listener;

    OpenSession(Channel channel, @Nullable Channel heartbeats, Listener listener) {
      this.channel = channel;
      this.heartbeats = heartbeats;
      this.listener = listener;
    }

    @Override
    public long nextSequence() {
      return channel.getNextPublishSeqNo();
    }

    @Override
    public void publish(OutgoingBatch batch) throws IOException {
      try {
        channel.basicPublish(
            "",
            queues.get(batch.queue()),
            true,
            false,
            BatchProperties.of(batch.envelope(), settings.persistent()),
            batch.body());
      } catch (ShutdownSignalException e) {
        tellOver(e, listener); // perhaps before the client's thread does
        throw lost(e);
      } catch (IOException e) {
        throw lost(e);
      }
    }

    @Override
    @SuppressWarnings("JavaUtilDate") // the client's API
    public void beat(Heartbeat heartbeat) throws IOException {
      if (heartbeats == null) {
        return;
      }
      // A heartbeat tells what works now, so the broker drops one that no bridge has read in time.
      long forgetMillis = Heartbeat.PATIENCE * heartbeat.intervalMillis();
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .contentType(Heartbeat.CONTENT_TYPE)
              .deliveryMode(TRANSIENT)
              .expiration(Long.toString(forgetMillis))
              .timestamp(new Date(heartbeat.publishedMillis()))
              .headers(
                  Map.of(
                      Envelope.STREAM_HEADER, heartbeat.stream(),
                      Envelope.PUBLISHED_HEADER, heartbeat.publishedMillis()))
              .build();
      try {
        for (String queue : queues) {
          heartbeats.basicPublish("", queue, properties, heartbeat.encode());
        }
      } catch (ShutdownSignalException e) {
        if (channel.getConnection().isOpen()) {
          return; // the broker may close this channel alone, and the batches' channel still works
        }
        throw lost(e);
      } catch (IOException e) {
        throw lost(e);
      }
    }

    private static IOException lost(Exception cause) {
      return new IOException("lost (" + BrokerFailure.reason(cause) + ")", cause);
    }

    @Override
    public void declareQueues() throws IOException {
      for (String queue : queues) {
        try {
          channel.queueDeclare(
              queue, true, false, false, Topology.queueArguments(settings.queueType()));
        } catch (IOException | ShutdownSignalException e) {
          throw refused(queue, e);
        }
      }
    }

    @Override
    public void close() {
      abort(channel.getConnection());
    }
  }
}
