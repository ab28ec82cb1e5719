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

/**
 * Connects the shim to its RabbitMQ, publishes batches there, and reports confirms. No other class
 * of the shim uses RabbitMQ's Java client. Thread-safe.
 */
final class AmqpBroker implements Broker {
  private static final int CLOSE_TIMEOUT_MILLIS = 1_000;
  private static final int CONFIRM_TIMEOUT_MILLIS = 10_000;

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
      // The listener is called immediately if the channel is already closed. A lost connection also
      // closes its channels.
      channel.addShutdownListener(cause -> reportEnd(cause, listener));
      return session;
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      abort(connection);
      throw refusal(settings.queue(), e);
    }
  }

  private static void reportEnd(ShutdownSignalException cause, Listener listener) {
    if (BrokerFailure.isTooLarge(cause)) {
      listener.tooLarge(BrokerFailure.reason(cause));
    } else {
      listener.lost("lost (" + BrokerFailure.reason(cause) + ")");
    }
  }

  /**
   * Tests whether the broker accepts a body of the given size. The test message goes to no queue.
   *
   * @throws IOException if the broker does not accept such a body; the message is for the operator
   */
  void checkAccepts(int bytes) throws IOException, InterruptedException {
    Connection connection = null;
    AtomicReference<@Nullable String> blockReason = new AtomicReference<>();
    try {
      connection = login.connect(connectionName);
      connection.addBlockedListener(blockReason::set, () -> blockReason.set(null));
      Channel channel = channelOf(connection);
      channel.confirmSelect();
      channel.basicPublish("", "duplog.no-queue." + UUID.randomUUID(), null, new byte[bytes]);
      channel.waitForConfirms(CONFIRM_TIMEOUT_MILLIS);
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      String alarmReason = blockReason.get();
      if (alarmReason != null && e instanceof TimeoutException) {
        throw new RefusedException("takes nothing from publishers (" + alarmReason + ")", e);
      }
      throw BrokerFailure.isTooLarge(e)
          ? new RefusedException(
              "takes no body of %d bytes (%s): raise its max_message_size, or lower batch.max-bytes and omprog.max-message"
                  .formatted(bytes, BrokerFailure.reason(e)),
              e)
          : refusal(settings.queue(), e);
    } finally {
      abort(connection);
    }
  }

  /** Thrown if the broker rejected a request; its message is already worded for an operator. */
  private static final class RefusedException extends IOException {
    RefusedException(String words, @Nullable Throwable cause) {
      super(words, cause);
    }
  }

  private RefusedException refusal(String queue, Exception cause) {
    return cause instanceof RefusedException refusedException
        ? refusedException
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
      connection.abort(CLOSE_TIMEOUT_MILLIS);
    }
  }

  private final class OpenSession implements Session {
    private final Channel channel;

    /**
     * Channel without publisher confirms, so that heartbeats don't affect the confirms of batches.
     * Null if the broker permits no second channel.
     */
    private final @Nullable Channel heartbeatChannel;

    private final Listener listener;

    OpenSession(Channel channel, @Nullable Channel heartbeatChannel, Listener listener) {
      this.channel = channel;
      this.heartbeatChannel = heartbeatChannel;
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
            BatchProperties.of(batch.envelope(), settings.persistent(), batch.unusableReason()),
            batch.body());
      } catch (ShutdownSignalException e) {
        reportEnd(e, listener); // perhaps before the AMQP client's thread calls it
        throw lost(e);
      } catch (IOException e) {
        throw lost(e);
      }
    }

    @Override
    @SuppressWarnings("JavaUtilDate") // the AMQP client's API takes a Date
    public void sendHeartbeat(Heartbeat heartbeat) throws IOException {
      if (heartbeatChannel == null) {
        return;
      }
      // A heartbeat describes the current state, so the broker drops a heartbeat that no bridge has
      // read in time.
      long expirationMillis = Heartbeat.PATIENCE * heartbeat.intervalMillis();
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .contentType(Heartbeat.CONTENT_TYPE)
              .deliveryMode(TRANSIENT)
              .expiration(Long.toString(expirationMillis))
              .timestamp(new Date(heartbeat.publishedMillis()))
              .headers(
                  Map.of(
                      Envelope.STREAM_HEADER, heartbeat.stream(),
                      Envelope.PUBLISHED_HEADER, heartbeat.publishedMillis()))
              .build();
      try {
        for (String queue : queues) {
          heartbeatChannel.basicPublish("", queue, properties, heartbeat.encode());
        }
      } catch (ShutdownSignalException e) {
        if (channel.getConnection().isOpen()) {
          return; // the broker may have closed only this channel, while the channel for batches
          // still works
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
          throw refusal(queue, e);
        }
      }
    }

    @Override
    public void close() {
      abort(channel.getConnection());
    }
  }
}
