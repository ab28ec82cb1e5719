package io.duplog.ingest.publish;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.AMQImpl;
import io.duplog.tls.Tls;
import io.duplog.wire.Envelope;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.Topology;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** RabbitMQ by AMQP 0-9-1. The only class of the shim that knows the client. */
final class AmqpBroker implements Broker {
  private static final int CLOSE_MILLIS = 1_000;
  private static final int RPC_MILLIS = 10_000;

  /** By IANA: who is spoken to in plain text there hangs up. */
  private static final int TLS_PORT = 5671;

  private final BrokerSettings settings;
  private final List<String> queues;
  private final String connectionName;
  private final @Nullable Tls tls;

  AmqpBroker(BrokerSettings settings, String connectionName) {
    this.settings = settings;
    this.queues = settings.queues();
    this.connectionName = connectionName;
    this.tls =
        settings.tls() == null
            ? null
            : Tls.ofClient(
                "broker %s:%d".formatted(settings.host(), settings.port()), settings.tls());
  }

  /** Made by who connects: rsyslog's first line need not wait for the client's classes. */
  private ConnectionFactory factory() {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(settings.host());
    factory.setPort(settings.port());
    factory.setVirtualHost(settings.virtualHost());
    factory.setUsername(settings.user());
    factory.setPassword(settings.password().reveal());
    factory.setRequestedHeartbeat((int) settings.heartbeat().toSeconds());
    factory.setConnectionTimeout((int) settings.connectTimeout().toMillis());
    factory.setHandshakeTimeout((int) settings.connectTimeout().toMillis());
    factory.setChannelRpcTimeout(RPC_MILLIS);
    factory.setShutdownTimeout(CLOSE_MILLIS);
    // It would not publish again what was not confirmed; BatchPublisher does.
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    if (tls != null) {
      factory.setSocketFactory(tls.sockets());
    }
    factory.setThreadFactory(
        task -> {
          Thread thread = new Thread(task, "amqp");
          thread.setDaemon(true);
          return thread;
        });
    return factory;
  }

  @Override
  public List<String> queues() {
    return queues;
  }

  @Override
  public Session connect(Listener listener) throws BrokerException {
    Connection connection = null;
    try {
      connection = factory().newConnection(connectionName);
      connection.addBlockedListener(new Alarms(listener));
      OpenSession session =
          new OpenSession(connection, channelOf(connection), connection.createChannel(), listener);
      Channel channel = session.channel;
      session.declareQueues();
      channel.confirmSelect();
      channel.addConfirmListener(new Confirms(listener));
      channel.addReturnListener(
          returned -> listener.returned(String.valueOf(returned.getProperties().getMessageId())));
      // Called at once where it is over already. A channel dies with its connection.
      channel.addShutdownListener(cause -> tellOver(cause, listener));
      return session;
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      abort(connection);
      throw new BrokerException(describe(e, settings.queue()), e);
    } catch (BrokerException e) {
      abort(connection);
      throw e;
    }
  }

  /** RabbitMQ names the method that it could not carry out; nothing else of ours is refused so. */
  private static void tellOver(ShutdownSignalException cause, Listener listener) {
    if (cause.getReason() instanceof AMQP.Channel.Close close
        && close.getReplyCode() == AMQP.PRECONDITION_FAILED
        && close.getClassId() == AMQImpl.Basic.INDEX
        && close.getMethodId() == AMQImpl.Basic.Publish.INDEX) {
      listener.tooLarge(close.getReplyText());
    } else {
      listener.lost("lost (" + reason(cause) + ")");
    }
  }

  /**
   * Sends a body of this size to no queue.
   *
   * @throws BrokerException where the broker does not take one
   */
  void checkTakes(int bytes) throws BrokerException {
    Connection connection = null;
    try {
      connection = factory().newConnection(connectionName);
      Channel channel = channelOf(connection);
      channel.confirmSelect();
      channel.basicPublish("", "duplog.no-queue." + UUID.randomUUID(), null, new byte[bytes]);
      channel.waitForConfirms(RPC_MILLIS);
    } catch (ShutdownSignalException e) {
      String cause =
          replyCode(e) == AMQP.PRECONDITION_FAILED
              ? "takes no body of %d bytes (%s): raise its max_message_size, or lower batch.max-bytes and omprog.max-message"
                  .formatted(bytes, reason(e))
              : describe(e, settings.queue());
      throw new BrokerException(cause, e);
    } catch (IOException | TimeoutException e) {
      throw new BrokerException(describe(e, settings.queue()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerException("interrupted", e);
    } finally {
      abort(connection);
    }
  }

  private static Channel channelOf(Connection connection) throws IOException, BrokerException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new BrokerException("gives no channel", new IOException("channel-max reached"));
    }
    return channel;
  }

  private static void abort(@Nullable Connection connection) {
    if (connection != null) {
      connection.abort(CLOSE_MILLIS);
    }
  }

  /**
   * Why no connection came about. Told apart by type and reply code, never by text.
   *
   * @param queue that was spoken of last
   */
  private String describe(Exception e, String queue) {
    if (e instanceof AuthenticationFailureException
        || e instanceof PossibleAuthenticationFailureException) {
      return "refuses user '" + settings.user() + "': check broker.user and broker.password";
    }
    ShutdownSignalException signal = signalOf(e);
    if (signal != null) {
      return switch (replyCode(signal)) {
        case AMQP.NOT_ALLOWED ->
            "does not let us into virtual host '"
                + settings.virtualHost()
                + "' ("
                + reason(signal)
                + ")";
        case AMQP.PRECONDITION_FAILED ->
            "has queue '"
                + queue
                + "' with other arguments ("
                + reason(signal)
                + "): delete it, or set broker.queue or broker.queue-type";
        case AMQP.ACCESS_REFUSED ->
            "gives user '" + settings.user() + "' no permission (" + reason(signal) + ")";
        default -> "refuses (" + reason(signal) + ")";
      };
    }
    String reason = tls == null ? null : tls.reason(e);
    return reason == null
        ? "unreachable (" + causeOf(e) + hint(e) + ")"
        : "unreachable by TLS: " + reason;
  }

  /** What else may be behind a connection that came about and then broke. */
  private String hint(Exception e) {
    boolean garbled = false;
    boolean closed = false;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      garbled |= cause instanceof MalformedFrameException;
      closed |= cause instanceof EOFException || cause instanceof SocketException;
      if (cause instanceof ConnectException) {
        return "";
      }
    }
    if (tls != null) {
      return closed ? tls.hint() : "";
    }
    return garbled || (closed && settings.port() == TLS_PORT)
        ? "; if this is its port for TLS, add a section broker.tls"
        : "";
  }

  private static @Nullable ShutdownSignalException signalOf(Exception e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ShutdownSignalException signal && replyCode(signal) != 0) {
        return signal;
      }
    }
    return null;
  }

  private static int replyCode(ShutdownSignalException signal) {
    Method method = signal.getReason();
    if (method instanceof AMQP.Channel.Close close) {
      return close.getReplyCode();
    }
    return method instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
  }

  private static String reason(ShutdownSignalException signal) {
    Method method = signal.getReason();
    if (method instanceof AMQP.Channel.Close close) {
      return close.getReplyText();
    }
    if (method instanceof AMQP.Connection.Close close) {
      return close.getReplyText();
    }
    return signal.getCause() instanceof Exception cause ? causeOf(cause) : "connection closed";
  }

  private static String causeOf(Exception e) {
    if (e instanceof UnknownHostException) {
      return "unknown host";
    }
    if (e instanceof EOFException) {
      return "it closed the connection";
    }
    if (e instanceof TimeoutException || e instanceof SocketTimeoutException) {
      return "timed out";
    }
    if (e instanceof ShutdownSignalException signal) {
      return reason(signal);
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private record Alarms(Listener listener) implements BlockedListener {
    @Override
    public void handleBlocked(String reason) {
      listener.blocked(reason);
    }

    @Override
    public void handleUnblocked() {
      listener.unblocked();
    }
  }

  private record Confirms(Listener listener) implements ConfirmListener {
    @Override
    public void handleAck(long sequence, boolean multiple) {
      listener.acked(sequence, multiple);
    }

    @Override
    public void handleNack(long sequence, boolean multiple) {
      listener.nacked(sequence, multiple);
    }
  }

  private final class OpenSession implements Session {
    private static final int TRANSIENT = 1;
    private static final int PERSISTENT = 2;

    private final Connection connection;
    private final Channel channel;

    /**
     * Without confirms: a heartbeat has no part in what becomes of the batches. Null where the
     * broker gives no second channel.
     */
    private final @Nullable Channel heartbeats;

    private final Listener listener;

    OpenSession(
        Connection connection, Channel channel, @Nullable Channel heartbeats, Listener listener) {
      this.connection = connection;
      this.channel = channel;
      this.heartbeats = heartbeats;
      this.listener = listener;
    }

    @Override
    public long nextSequence() {
      return channel.getNextPublishSeqNo();
    }

    @Override
    @SuppressWarnings("JavaUtilDate") // the client's API
    public void publish(OutgoingBatch batch) throws IOException {
      Envelope envelope = batch.envelope();
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .contentType(Envelope.CONTENT_TYPE)
              .contentEncoding(envelope.encoding().token())
              .deliveryMode(settings.persistent() ? PERSISTENT : TRANSIENT)
              .messageId(envelope.id())
              .timestamp(new Date(envelope.publishedMillis()))
              .headers(
                  Map.of(
                      Envelope.STREAM_HEADER, envelope.stream(),
                      Envelope.COUNT_HEADER, envelope.count(),
                      Envelope.PUBLISHED_HEADER, envelope.publishedMillis()))
              .build();
      try {
        channel.basicPublish("", queues.get(batch.queue()), true, false, properties, batch.body());
      } catch (ShutdownSignalException e) {
        tellOver(e, listener); // before its own thread does, maybe
        throw new IOException("lost (" + reason(e) + ")", e);
      } catch (IOException e) {
        throw new IOException("lost (" + causeOf(e) + ")", e);
      }
    }

    @Override
    @SuppressWarnings("JavaUtilDate") // the client's API
    public void beat(Heartbeat heartbeat) throws IOException {
      if (heartbeats == null) {
        return;
      }
      // It tells what works now: where no bridge reads, the broker forgets it.
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
        if (connection.isOpen()) {
          return; // its own channel alone, which a broker may close; the batches' is well
        }
        throw new IOException("lost (" + reason(e) + ")", e);
      } catch (IOException e) {
        throw new IOException("lost (" + causeOf(e) + ")", e);
      }
    }

    @Override
    public void declareQueues() throws BrokerException {
      for (String queue : queues) {
        try {
          channel.queueDeclare(
              queue, true, false, false, Topology.queueArguments(settings.queueType()));
        } catch (IOException | ShutdownSignalException e) {
          throw new BrokerException(describe(e, queue), e);
        }
      }
    }

    @Override
    public void close() {
      connection.abort(CLOSE_MILLIS);
    }
  }
}
