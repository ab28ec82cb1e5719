package io.duplog.simulate;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Simulates a RabbitMQ with its queues, connections and faults, in simulated time. */
final class SimulatedBroker {
  /** Default of RabbitMQ 4 for a quorum queue. */
  private static final int DELIVERY_LIMIT = 20;

  private static final long SILENCE_NOTICED = TimeUnit.SECONDS.toNanos(10);

  /** A message that a queue holds. */
  static final class Stored {
    final long place;
    final AMQP.BasicProperties properties;
    final byte[] body;
    int failedDeliveries;
    boolean redelivered;

    Stored(long place, AMQP.BasicProperties properties, byte[] body) {
      this.place = place;
      this.properties = properties;
      this.body = body;
    }
  }

  /** A queue, without the deliveries that consumers hold. */
  static final class Queue {
    final String name;
    final TreeMap<Long, Stored> ready = new TreeMap<>();
    final List<SimulatedChannel.Subscription> subscriptions = new ArrayList<>();
    int unacknowledged;
    int next;

    Queue(String name) {
      this.name = name;
    }
  }

  /** Beginning of the host names of another deployment's brokers. */
  static final String FOREIGN = "other-";

  final String host;
  final World world;
  private final Map<String, Queue> queues = new LinkedHashMap<>();
  final List<SimulatedLink> links = new ArrayList<>();
  private long places;
  boolean burned;
  private boolean away;
  boolean silent;

  /** Whether the broker has an alarm, so that it reads nothing from publishers. */
  boolean blocked;

  int mostDeadLetters = Integer.MAX_VALUE;

  SimulatedBroker(World world, String host) {
    this.world = world;
    this.host = host;
  }

  /** Whether the broker is another deployment's, whose messages don't count. */
  boolean isForeign() {
    return host.startsWith(FOREIGN);
  }

  boolean takesFromShims() {
    return !burned && !away && !silent && !blocked;
  }

  /** Calls an action for each message in the queues for dead letters. */
  void forEachLetter(BiConsumer<AMQP.BasicProperties, byte[]> action) {
    queues.values().stream()
        .filter(queue -> isForDeadLetters(queue.name))
        .flatMap(queue -> queue.ready.values().stream())
        .forEach(letter -> action.accept(letter.properties, letter.body));
  }

  boolean has(String queue) {
    return queues.containsKey(queue);
  }

  Queue declare(String name) {
    return queues.computeIfAbsent(name, Queue::new);
  }

  /** Whether the queues that bridges read are empty, and all of their deliveries acknowledged. */
  boolean isDrained() {
    return burned
        || queues.values().stream()
            .filter(queue -> !isForDeadLetters(queue.name))
            .allMatch(queue -> queue.ready.isEmpty() && queue.unacknowledged == 0);
  }

  static boolean isForDeadLetters(String queue) {
    return queue.endsWith(".dead-letter") || queue.endsWith(".refused");
  }

  /**
   * Stores a message, unless the queue is full.
   *
   * @return whether there was room
   */
  boolean store(String name, AMQP.BasicProperties properties, byte[] body) {
    Queue queue = declare(name);
    if (isForDeadLetters(name)) {
      boolean limited = name.endsWith(".dead-letter") || world.has(Defect.BLANKS_ARE_REFUSED);
      if (limited && queue.ready.size() >= mostDeadLetters) {
        return false;
      }
      if (!isForeign()
          && world.has(Defect.SECOND_COPY_IS_LOST)
          && !world.arrivals.isFirst(properties.getMessageId())) {
        return true;
      }
      if (!isForeign()) {
        world.arrivals.buried(this, properties, body);
      }
    }
    Stored stored = new Stored(places++, properties, body);
    queue.ready.put(stored.place, stored);
    deliver(queue);
    return true;
  }

  /** Puts a delivery back to its place in the queue, or drops it beyond the delivery limit. */
  void requeue(Queue queue, Stored stored, boolean counts) {
    queue.unacknowledged--;
    stored.redelivered = true;
    if (counts && !isForDeadLetters(queue.name) && ++stored.failedDeliveries > DELIVERY_LIMIT) {
      world.note(host, "drops what it delivered", stored.failedDeliveries, "times");
      return;
    }
    queue.ready.put(stored.place, stored);
  }

  /** Delivers ready messages in turn to those consumers whose prefetch allows it. */
  void deliver(Queue queue) {
    int unwilling = 0;
    while (!queue.ready.isEmpty() && unwilling < queue.subscriptions.size()) {
      queue.next = (queue.next + 1) % queue.subscriptions.size();
      SimulatedChannel.Subscription subscription = queue.subscriptions.get(queue.next);
      if (!subscription.channel().mayBeGivenMore()) {
        unwilling++;
        continue;
      }
      unwilling = 0;
      queue.unacknowledged++;
      subscription.give(queue.ready.pollFirstEntry().getValue());
    }
  }

  void deliverAll() {
    queues.values().forEach(this::deliver);
  }

  /**
   * Connects a client.
   *
   * @param stream name by which the client knows the stream of this broker
   */
  Connection connect(SimulatedBridge client, String stream)
      throws ConnectException, TimeoutException {
    client.sleep(world.latency());
    if (burned || away) {
      throw new ConnectException("Connection refused");
    }
    if (silent) {
      client.sleep(TimeUnit.SECONDS.toNanos(2));
      throw new TimeoutException("no answer");
    }
    SimulatedLink link = new SimulatedLink(this, client, stream);
    links.add(link);
    return link.connection;
  }

  // Faults that strike the broker.

  void resetLinks() {
    List.copyOf(links).forEach(link -> link.breakOff("Connection reset"));
  }

  void vanish(boolean begins) {
    away = begins;
    resetLinks();
  }

  /** Destroys the broker permanently, with all that it holds. */
  void burn() {
    burned = true;
    resetLinks();
    queues.values().stream()
        .filter(queue -> !isForDeadLetters(queue.name))
        .flatMap(queue -> queue.ready.values().stream())
        .forEach(lost -> world.arrivals.burned(lost.properties, lost.body));
    queues.clear();
  }

  /**
   * Begins or ends a silence in which no packet gets through. Both sides notice it when heartbeats
   * have been missing for long enough.
   */
  void beSilent(boolean begins) {
    silent = begins;
    if (begins) {
      List<SimulatedLink> cut = List.copyOf(links);
      world.timeline.after(
          SILENCE_NOTICED,
          () -> {
            if (silent) {
              cut.forEach(link -> link.breakOff("missed heartbeats"));
            }
          });
    } else {
      deliverAll();
    }
  }

  /** Breaks the connections of a bridge whose process has ended, or was stopped for too long. */
  void breakLinksOf(SimulatedBridge client) {
    List.copyOf(links).stream()
        .filter(link -> link.client == client)
        .forEach(link -> link.breakOff("Connection reset"));
  }

  static ShutdownSignalException signal(String why, @Nullable Object reference) {
    return new ShutdownSignalException(
        true, false, null, reference, why, new java.net.SocketException(why));
  }
}
