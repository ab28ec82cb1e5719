package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.duplog.amqp.BrokerFailure;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a connection to a queue, from connecting until the broker or the network ends it.
 * Never revived: a new one takes its place, and what this one delivered is lost to it.
 */
final class ConsumerChannel implements Delivery.Channel {
  private static final Logger log = LoggerFactory.getLogger(ConsumerChannel.class);

  /** How often a quorum queue has delivered it before. Classic queues do not say. */
  private static final String DELIVERY_COUNT = "x-delivery-count";

  /** Half of what RabbitMQ 4 allows unless a policy says otherwise. */
  private static final long MANY_DELIVERIES = 10;

  /** A delivery that can't be used, and why. */
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

  /** Deliveries of which nothing is kept but the tag. */
  private final Queue<Long> unread = new ConcurrentLinkedQueue<>();

  private final Queue<DeadLetter> deadLetters = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Throwable lostBy;
  private volatile boolean lost;

  /** The consumer's tag while deliveries are asked for; null while paused. Set by one thread. */
  private volatile @Nullable String consumerTag;

  /** Connects, declares the queues and takes no deliveries yet. */
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
    this.connection =
        environment.connector().connect(settings, "duplog bridge, " + settings.queue());
    try {
      channel = connection.createChannel();
      acknowledgements = new Acknowledgements(policy, channel::basicAck, nanoClock.getAsLong());
      declaredQueue = !isThere(settings.queue(), connection);
      channel.addShutdownListener(this::lose);
      declareQueues(settings, channel);
    } catch (IOException | RuntimeException e) {
      connection.abort();
      throw e;
    }
  }

  /** On a channel of its own, which the broker closes where there is no such queue. */
  private static boolean isThere(String queue, Connection connection) throws IOException {
    Channel channel = connection.createChannel();
    try {
      channel.queueDeclarePassive(queue);
      channel.abort();
      return true;
    } catch (IOException e) {
      // Whatever else it is shows when the queue is declared.
      return BrokerFailure.replyCode(e) != AMQP.NOT_FOUND;
    }
  }

  static void declareQueues(QueueSettings settings, Channel channel) throws IOException {
    declare(settings.queue(), Topology.queueArguments(settings.queueType()), channel);
    declare(Topology.deadLetterQueue(settings.queue()), Topology.deadLetterArguments(), channel);
  }

  static void declare(String queue, Map<String, Object> arguments, Channel channel)
      throws IOException {
    channel.queueDeclare(queue, true, false, false, arguments);
  }

  @Override
  public String stream() {
    return settings.stream();
  }

  @Override
  public int queue() {
    return settings.share().number();
  }

  /** Whether there was no such queue before. */
  boolean hasDeclaredQueue() {
    return declaredQueue;
  }

  /** What the broker calls itself: the name of its cluster, though it be alone in that. */
  @Nullable String broker() {
    return brokerName(connection);
  }

  static @Nullable String brokerName(Connection connection) {
    Object name = connection.getServerProperties().get("cluster_name");
    return name == null ? null : name.toString();
  }

  @Override
  public boolean isLost() {
    return lost;
  }

  /** Why it was lost; null where it is not, or was closed from here. */
  @Nullable Throwable lostBy() {
    return lostBy;
  }

  private void lose(@Nullable Throwable cause) {
    lostBy = cause;
    lost = true;
  }

  boolean isConsuming() {
    return consumerTag != null;
  }

  /** Asks the broker about the queue. */
  QueueDepth look() throws IOException {
    AMQP.Queue.DeclareOk queue = channel.queueDeclarePassive(settings.queue());
    return new QueueDepth(queue.getMessageCount(), queue.getConsumerCount());
  }

  /** Asks for deliveries, as many at once as the prefetch says now. */
  void resume() throws IOException {
    int deliveries = prefetch.choose(nanoClock.getAsLong());
    // After the choice: what comes later than this is a reason for another pause.
    giveBackUnread();
    channel.basicQos(deliveries);
    consumerTag =
        channel.basicConsume(
            settings.queue(), false, settings.share().consumerArguments(), new Deliveries(channel));
  }

  /** Asks for no more deliveries. Those that are on their way still come. */
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
      giveBackUnread();
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

  private void forgetDeadLetters() {
    for (DeadLetter next = deadLetters.poll(); next != null; next = deadLetters.poll()) {
      next.delivery().forget();
    }
  }

  /** Those that are not in the dead-letter queue yet. */
  Queue<DeadLetter> deadLetters() {
    return deadLetters;
  }

  /** Sends the acknowledgements that are due and ends the connection. */
  void close() {
    acknowledgements.acknowledge(nanoClock.getAsLong());
    lost = true;
    forgetDeadLetters();
    connection.abort(1000);
  }

  /**
   * Gives back what there was no room for, for later or for another bridge. Only while no
   * deliveries are asked for: the broker would send it again at once, and again, until a quorum
   * queue's delivery limit is reached. By nack, which newer RabbitMQs do not count.
   */
  private void giveBackUnread() throws IOException {
    for (Long tag = unread.poll(); tag != null; tag = unread.poll()) {
      // In this order: an acknowledgement that closes the gap must not reach the broker first.
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
        unread.add(envelope.getDeliveryTag());
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
            "{} brings a batch that it has delivered {} times before, to bridges that died, lost"
                + " their channels or gave it back. A quorum queue drops what reaches its"
                + " delivery-limit, in RabbitMQ 4 after 20 deliveries unless a policy says"
                + " otherwise: see 'rabbitmqctl list_policies'",
            settings,
            before);
      }
    }

    @Override
    public void handleCancel(String tag) {
      lose(new IOException("the queue was deleted"));
    }

    @Override
    public void handleShutdownSignal(String tag, ShutdownSignalException signal) {
      lose(signal);
    }
  }
}
