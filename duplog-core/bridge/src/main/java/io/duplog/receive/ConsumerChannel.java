package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.duplog.amqp.BrokerFailure;
import io.duplog.wire.StreamBroker;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection that consumes a RabbitMQ queue, until the broker or the network ends it. A lost
 * connection is never reused. A new object replaces it, and deliveries of the old one can no longer
 * be settled.
 */
final class ConsumerChannel implements Delivery.Channel {
  /** Pause between two checks of the broker's identity. */
  private static final long IDENTIFY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Pause between two checks while the identity is not known. */
  private static final long RETRY_IDENTIFY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Number of missing queues after which the search for a stream's former queues ends. The broker
   * logs each missing queue whenever a bridge connects. The commands check and doctor search all
   * numbers.
   */
  private static final int MAX_MISSING_QUEUES = 4;

  private static final Logger log = LoggerFactory.getLogger(ConsumerChannel.class);

  /**
   * Header in which a quorum queue counts a message's earlier deliveries. Classic queues do not set
   * it.
   */
  private static final String DELIVERY_COUNT = "x-delivery-count";

  /**
   * Number of earlier deliveries of a message that causes a warning; half of RabbitMQ 4's default
   * delivery limit.
   */
  private static final long MANY_DELIVERIES = 10;

  /** A delivery whose body can't be decoded, and the reason. */
  record DeadLetter(Delivery delivery, String reason) {}

  private final QueueSettings settings;
  private final HeldBytes heldBytes;
  private final Prefetch prefetch;
  private final Consumer<Delivery> handler;
  private final Connection connection;
  private final LongSupplier nanoClock;
  private final Channel channel;
  private final Acknowledgements acknowledgements;
  private final boolean declaredQueue;
  private final Connector connector;

  /** Set only by the consumer's thread. */
  private volatile @Nullable StreamBroker broker;

  private long identifyAtNanos;

  /**
   * Messages in former queues of the stream, or null if there are none. Set only by the consumer's
   * thread.
   */
  private volatile QueueDepth.@Nullable LeftBehind leftBehind;

  private long leftBehindCheckNanos;

  /** Tags of deliveries whose bodies were discarded because the bridge held too many bytes. */
  private final Queue<Long> discardedTags = new ConcurrentLinkedQueue<>();

  /** Tags of batches that only a newer bridge can read. */
  private final Queue<Long> newerTags = new ConcurrentLinkedQueue<>();

  /** Why the latest of them can't be read; null once that was asked. */
  private final AtomicReference<@Nullable String> newerReason = new AtomicReference<>();

  private final Queue<DeadLetter> deadLetters = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Throwable lossCause;
  private volatile boolean lost;

  /**
   * AMQP consumer tag, or null while no deliveries are requested. Set only by the consumer's
   * thread.
   */
  private volatile @Nullable String consumerTag;

  /** Connects and declares the queues. {@link #resume} then requests deliveries. */
  ConsumerChannel(
      QueueSettings settings,
      AcknowledgePolicy policy,
      HeldBytes heldBytes,
      Prefetch prefetch,
      Consumer<Delivery> handler,
      QueueConsumer.Environment environment)
      throws IOException, TimeoutException {
    this.settings = settings;
    this.heldBytes = heldBytes;
    this.prefetch = prefetch;
    this.handler = handler;
    this.nanoClock = environment.nanoClock();
    this.connector = environment.connector();
    this.connection = connector.connect(settings, "duplog bridge, " + settings.queue());
    try {
      channel = connection.createChannel();
      acknowledgements = new Acknowledgements(policy, channel::basicAck, nanoClock.getAsLong());
      declaredQueue = !exists(settings.queue(), connection);
      channel.addShutdownListener(this::markLost);
      declare(settings.queue(), Topology.queueArguments(settings.queueType()), channel);
      declare(Topology.deadLetterQueue(settings.queue()), Topology.deadLetterArguments(), channel);
      broker = broker(settings, connector.identify(settings, connection));
      identifyAtNanos = nanoClock.getAsLong() + identifyPauseNanos();
      checkLeftBehind();
    } catch (IOException | RuntimeException e) {
      connection.abort();
      throw e;
    }
  }

  /**
   * Checks the broker's identity if that is due, because the identity may have been deleted or
   * unavailable. Keeps the known identity if it is unavailable now.
   *
   * @throws IOException if the connection is lost
   */
  void identifyAgain() throws IOException {
    StreamBroker known = broker;
    if (known == null || nanoClock.getAsLong() - identifyAtNanos < 0) {
      return;
    }
    String id =
        known.isIdentified()
            ? connector.identifyAgain(settings, connection)
            : connector.identify(settings, connection);
    if (id == null || !id.isEmpty()) {
      broker = broker(settings, id);
    }
    identifyAtNanos = nanoClock.getAsLong() + identifyPauseNanos();
  }

  /** Checks former queues of the stream, if messages wait there and the check is due. */
  void recheckLeftBehind() throws IOException {
    if (leftBehind != null && nanoClock.getAsLong() - leftBehindCheckNanos >= 0) {
      checkLeftBehind();
    }
  }

  private void checkLeftBehind() throws IOException {
    leftBehind = QueueDepth.leftBehind(settings, connection, MAX_MISSING_QUEUES);
    leftBehindCheckNanos = nanoClock.getAsLong() + IDENTIFY_NANOS;
  }

  /** Returns the messages in former queues of the stream, or null if there are none. */
  QueueDepth.@Nullable LeftBehind leftBehind() {
    return leftBehind;
  }

  private long identifyPauseNanos() {
    StreamBroker known = broker;
    return known == null || known.isIdentified() ? IDENTIFY_NANOS : RETRY_IDENTIFY_NANOS;
  }

  /**
   * Whether the queue exists. Asks on a separate channel, because the broker closes the channel if
   * there is no such queue.
   */
  static boolean exists(String queue, Connection connection) throws IOException {
    Channel channel = connection.createChannel();
    try {
      channel.queueDeclarePassive(queue);
      channel.abort();
      return true;
    } catch (IOException e) {
      // Any other failure recurs when the queue is declared.
      return BrokerFailure.replyCode(e) != AMQP.NOT_FOUND;
    }
  }

  static AMQP.Queue.DeclareOk declare(String queue, Map<String, Object> arguments, Channel channel)
      throws IOException {
    return channel.queueDeclare(queue, true, false, false, arguments);
  }

  @Override
  public String stream() {
    return settings.stream();
  }

  @Override
  public int queue() {
    return settings.share().number();
  }

  /** Whether the queue did not exist, so that this connection declared it. */
  boolean hasDeclaredQueue() {
    return declaredQueue;
  }

  @Override
  public @Nullable StreamBroker broker() {
    return broker;
  }

  static @Nullable StreamBroker broker(QueueSettings settings, @Nullable String id) {
    return id == null
        ? null
        : StreamBroker.of(settings.stream(), Topology.firstQueue(settings.queue()), id);
  }

  @Override
  public boolean isLost() {
    return lost;
  }

  /** Returns why the connection was lost, or null if it is not lost, or if the cause is unknown. */
  @Nullable Throwable lossCause() {
    return lossCause;
  }

  private void markLost(@Nullable Throwable cause) {
    lossCause = cause;
    lost = true;
  }

  boolean isConsuming() {
    return consumerTag != null;
  }

  /** Queries the queue's length and its number of consumers. */
  QueueDepth queueDepth() throws IOException {
    AMQP.Queue.DeclareOk queue = channel.queueDeclarePassive(settings.queue());
    return new QueueDepth(queue.getMessageCount(), queue.getConsumerCount());
  }

  /**
   * Requests deliveries, with the prefetch that {@link Prefetch#choose} returns.
   *
   * @param isLast whether the broker serves all other bridges first
   */
  void resume(boolean isLast) throws IOException {
    int deliveries = prefetch.choose(nanoClock.getAsLong());
    // After the choice, because a delivery that is discarded in between must cause another pause.
    returnAll(discardedTags);
    channel.basicQos(deliveries);
    consumerTag =
        channel.basicConsume(
            settings.queue(),
            false,
            settings.share().consumerArguments(isLast),
            new Deliveries(channel));
  }

  /** Stops requesting deliveries. Deliveries that the broker has already sent still arrive. */
  void pause() throws IOException {
    String tag = consumerTag;
    if (tag != null) {
      consumerTag = null;
      channel.basicCancel(tag);
    }
  }

  @Override
  public void settled(long tag) {
    if (!lost) {
      acknowledgements.settled(tag, nanoClock.getAsLong());
    }
  }

  void tick() throws IOException {
    if (!isConsuming()) {
      returnAll(discardedTags);
    }
    acknowledgements.tick(nanoClock.getAsLong());
  }

  @Override
  public void deadLetter(Delivery delivery, String reason) {
    deadLetters.add(new DeadLetter(delivery, reason));
    if (lost) {
      forgetDeadLetters();
    }
  }

  @Override
  public void giveBack(long tag, String reason) {
    newerTags.add(tag);
    newerReason.set(reason);
  }

  /** Returns why a batch that has arrived since the last call can't be read; null if all can. */
  @Nullable String takeNewerReason() {
    return newerReason.getAndSet(null);
  }

  /** Whether this channel holds batches that only a newer bridge can read. */
  boolean holdsNewer() {
    return !newerTags.isEmpty();
  }

  /** Returns those batches to the broker. Must be called only while none are requested. */
  void returnNewer() throws IOException {
    returnAll(newerTags);
  }

  private void forgetDeadLetters() {
    for (DeadLetter next = deadLetters.poll(); next != null; next = deadLetters.poll()) {
      next.delivery().forget();
    }
  }

  /** Returns the undecodable deliveries that must still be published to the dead-letter queue. */
  Queue<DeadLetter> deadLetters() {
    return deadLetters;
  }

  /**
   * Acknowledges all settled deliveries, and closes the connection.
   *
   * @param wait the longest wait for the broker's answer, before which the broker may not have read
   *     the acknowledgements
   */
  void close(Duration wait) {
    acknowledgements.acknowledge(nanoClock.getAsLong());
    lost = true;
    forgetDeadLetters();
    connection.abort((int) wait.toMillis());
  }

  /**
   * Returns unread deliveries to the broker, for later or for another bridge. Must be called only
   * while no deliveries are requested. Otherwise the broker would resend them immediately, until
   * they reach a quorum queue's delivery limit. Uses {@code basic.nack}, which newer RabbitMQ
   * versions do not count towards that limit.
   */
  private void returnAll(Queue<Long> tags) throws IOException {
    for (Long tag = tags.poll(); tag != null; tag = tags.poll()) {
      // The nack goes first, because a frame over the closed gap would acknowledge this delivery
      // too.
      channel.basicNack(tag, false, true);
      acknowledgements.returned(tag);
    }
  }

  private final class Deliveries extends DefaultConsumer {
    private boolean warned;

    Deliveries(Channel channel) {
      super(channel);
    }

    @Override
    public void handleDelivery(
        String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
      prefetch.delivered(body.length);
      if (heldBytes.isOverflowing()) {
        discardedTags.add(envelope.getDeliveryTag());
        prefetch.overflowed();
        return;
      }
      Delivery delivery =
          new Delivery(
              ConsumerChannel.this,
              envelope.getDeliveryTag(),
              envelope.isRedeliver(),
              properties,
              body,
              heldBytes);
      warnOfDeliveryLimit(delivery.header(DELIVERY_COUNT, 0));
      handler.accept(delivery);
    }

    private void warnOfDeliveryLimit(long before) {
      if (before >= MANY_DELIVERIES && !warned) {
        warned = true;
        log.warn(
            "{} has redelivered a batch {} times. Bridges died, lost their channels or returned it."
                + " A quorum queue drops a batch at its delivery-limit: in RabbitMQ 4 after 20"
                + " deliveries, unless a policy sets another limit. Check 'rabbitmqctl"
                + " list_policies'",
            settings,
            before);
      }
    }

    @Override
    public void handleCancel(String tag) {
      markLost(new IOException("the queue was deleted"));
    }

    @Override
    public void handleShutdownSignal(String tag, ShutdownSignalException signal) {
      markLost(signal);
    }
  }
}
