package io.duplog.simulate;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.duplog.observe.End;
import io.duplog.simulate.SimulatedBroker.Queue;
import io.duplog.simulate.SimulatedBroker.Stored;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Simulates an AMQP channel between a bridge and a simulated broker. */
final class SimulatedChannel {
  /** Pause after which TCP sends lost packets again. */
  private static final long SENT_AGAIN = TimeUnit.MILLISECONDS.toNanos(100);

  private record Unacknowledged(Queue queue, Stored stored) {}

  /** A consumer of a queue. */
  record Subscription(SimulatedChannel channel, Queue queue, Consumer consumer, String tag) {
    void give(Stored stored) {
      channel.give(this, stored);
    }
  }

  private final SimulatedLink link;
  private final SimulatedBroker broker;
  private final World world;
  final Channel channel;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private final List<ShutdownListener> shutdownListeners = new ArrayList<>();

  /** Deliveries that the broker waits for an acknowledgement of, by tag. */
  private final TreeMap<Long, Unacknowledged> unacknowledged = new TreeMap<>();

  private int prefetch;
  private long tags;
  private int subscribed;
  private int unconfirmed;
  private boolean rejected;
  private long arrivesAt;
  private long departsAt;
  private boolean closed;

  SimulatedChannel(SimulatedLink link, int number) {
    this.link = link;
    this.broker = link.broker;
    this.world = broker.world;
    this.channel =
        SimulatedLink.proxy(
            Channel.class,
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "hashCode" -> number;
                  case "equals" -> proxy == args[0];
                  case "toString" -> "channel " + number;
                  default -> call(method.getName(), args);
                });
  }

  private @Nullable Object call(String name, Object[] args) throws Exception {
    return switch (name) {
      case "isOpen" -> link.open && !closed;
      case "addShutdownListener" -> shutdownListeners.add((ShutdownListener) args[0]);
      case "addReturnListener" -> null; // no queue is ever missing
      case "abort", "close" -> {
        closed(null);
        yield null;
      }
      default -> {
        link.requireOpen();
        yield ask(name, args);
      }
    };
  }

  private @Nullable Object ask(String name, Object[] args) throws Exception {
    return switch (name) {
      case "queueDeclare" -> declare((String) args[0]);
      case "queueDeclarePassive" -> declarePassive((String) args[0]);
      case "messageCount" -> (long) declarePassive((String) args[0]).getMessageCount();
      case "basicGet" -> get((String) args[0]);
      case "basicConsume" -> consume((String) args[0], (Consumer) args[args.length - 1]);
      case "waitForConfirms" -> awaitConfirms((long) args[0]);
      default -> {
        tell(name, args);
        yield null;
      }
    };
  }

  /** Executes a call that returns nothing. */
  private void tell(String method, Object[] args) {
    switch (method) {
      case "confirmSelect" -> link.roundTrip();
      case "basicQos" -> {
        link.roundTrip();
        prefetch = (int) args[0];
      }
      case "basicCancel" -> {
        link.roundTrip();
        cancel((String) args[0]);
      }
      case "basicAck" -> acknowledge((long) args[0], (boolean) args[1]);
      case "basicNack" -> frame(() -> givenBack((long) args[0]));
      case "basicPublish" ->
          publish(
              (String) args[1],
              (AMQP.BasicProperties) args[args.length - 2],
              (byte[]) args[args.length - 1]);
      default -> throw new UnsupportedOperationException(method);
    }
  }

  private AMQP.Queue.DeclareOk declare(String name) {
    link.roundTrip();
    Queue queue = broker.declare(name);
    return new AMQP.Queue.DeclareOk.Builder()
        .queue(name)
        .messageCount(queue.ready.size())
        .consumerCount(queue.subscriptions.size())
        .build();
  }

  private AMQP.Queue.DeclareOk declarePassive(String name) throws IOException {
    if (link.open && !broker.has(name)) {
      link.roundTrip();
      var reason =
          new AMQP.Channel.Close.Builder()
              .replyCode(AMQP.NOT_FOUND)
              .replyText("NOT_FOUND")
              .classId(50)
              .methodId(10)
              .build();
      var signal = new ShutdownSignalException(false, false, reason, channel);
      closed(signal);
      throw new IOException(signal);
    }
    return declare(name);
  }

  private @Nullable GetResponse get(String name) {
    link.roundTrip();
    Queue queue = broker.declare(name);
    var next = queue.ready.pollFirstEntry();
    if (next == null) {
      return null;
    }
    Stored stored = next.getValue();
    queue.unacknowledged++;
    unacknowledged.put(++tags, new Unacknowledged(queue, stored));
    return new GetResponse(
        new Envelope(tags, stored.redelivered, "", name),
        stored.properties,
        stored.body,
        queue.ready.size());
  }

  private String consume(String queueName, Consumer consumer) {
    link.roundTrip();
    Queue queue = broker.declare(queueName);
    String tag = "consumer-" + ++subscribed;
    Subscription subscription = new Subscription(this, queue, consumer, tag);
    subscriptions.add(subscription);
    queue.subscriptions.add(subscription);
    broker.deliver(queue);
    return tag;
  }

  private void cancel(String tag) {
    subscriptions.removeIf(
        subscription -> {
          if (subscription.tag().equals(tag)) {
            subscription.queue().subscriptions.remove(subscription);
            return true;
          }
          return false;
        });
  }

  boolean mayBeGivenMore() {
    return link.open
        && !closed
        && !broker.silent
        && (prefetch == 0 || unacknowledged.size() < prefetch);
  }

  private void give(Subscription to, Stored stored) {
    long tag = ++tags;
    unacknowledged.put(tag, new Unacknowledged(to.queue(), stored));
    Envelope envelope = new Envelope(tag, stored.redelivered, "", to.queue().name);
    AMQP.BasicProperties properties = asRead(stored);
    arrives(() -> to.consumer().handleDelivery(to.tag(), envelope, properties, stored.body));
  }

  private AMQP.BasicProperties asRead(Stored stored) {
    AMQP.BasicProperties properties = stored.properties;
    if (world.has(Defect.BATCH_IDS_ARE_NOT_READ)) {
      String other = "%s-%d-%d".formatted(broker.host, stored.place, stored.failedDeliveries);
      return properties.builder().messageId(other).build();
    }
    if (!world.has(Defect.STREAM_NAMES_ARE_BELIEVED)) {
      return properties;
    }
    Map<String, Object> headers = new LinkedHashMap<>(properties.getHeaders());
    headers.put(io.duplog.wire.Envelope.STREAM_HEADER, link.stream);
    return properties.builder().headers(headers).build();
  }

  /** Method of the client that the AMQP library calls. */
  private interface Callback {
    void run() throws IOException;
  }

  /**
   * Calls the client when a frame arrives; frames arrive in order, and not while the client's
   * process is stopped.
   */
  private void arrives(Callback callback) {
    long now = world.timeline.nanos();
    arrivesAt = Math.max(arrivesAt, now + world.latency());
    world.timeline.after(arrivesAt - now, () -> arrived(callback));
  }

  private void arrived(Callback callback) {
    SimulatedBridge client = link.client;
    if (client.dead || closed) {
      return;
    }
    if (client.frozenNanos() > 0) {
      arrivesAt = Math.max(arrivesAt, world.timeline.nanos() + client.frozenNanos());
      world.timeline.after(client.frozenNanos(), () -> arrived(callback));
      return;
    }
    try {
      callback.run();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    client.wake();
  }

  /** Sends a frame to the broker; frames arrive in order, if the connection lasts until then. */
  private void frame(Runnable effect) {
    long now = world.timeline.nanos();
    departsAt = Math.max(departsAt, now + world.latency());
    world.timeline.after(departsAt - now, () -> comes(effect));
  }

  private void comes(Runnable effect) {
    if (broker.silent) {
      world.timeline.after(SENT_AGAIN, () -> comes(effect));
    } else if (link.open && !closed) {
      effect.run();
    }
  }

  private void acknowledge(long tag, boolean multiple) {
    frame(() -> acknowledged(tag, multiple));
    if (world.has(Defect.ACKNOWLEDGEMENT_IS_REPEATED)) {
      frame(() -> acknowledged(tag, multiple));
    }
  }

  private void acknowledged(long tag, boolean multiple) {
    if (tag > tags || (!multiple && !unacknowledged.containsKey(tag))) {
      unknown("acknowledges", tag);
      return;
    }
    var settled =
        multiple ? unacknowledged.headMap(tag, true) : unacknowledged.subMap(tag, true, tag, true);
    for (Unacknowledged each : settled.values()) {
      each.queue().unacknowledged--;
      if (!broker.isForeign()) {
        world.arrivals.settled(each.stored().properties, each.stored().body);
      }
    }
    settled.clear();
    subscriptions.forEach(each -> broker.deliver(each.queue()));
  }

  private void unknown(String what, long tag) {
    world.finding(Finding.PROTOCOL, link.client, what, tag, "which is unknown to", broker.host);
  }

  private void givenBack(long tag) {
    Unacknowledged back = unacknowledged.remove(tag);
    if (back == null) {
      unknown("gives back", tag);
      return;
    }
    broker.requeue(back.queue(), back.stored(), false);
    broker.deliver(back.queue());
  }

  private void publish(String queue, AMQP.BasicProperties properties, byte[] body) {
    unconfirmed++;
    frame(() -> published(queue, properties, body));
  }

  private void published(String queue, AMQP.BasicProperties properties, byte[] body) {
    if (broker.blocked) {
      world.timeline.after(
          100_000_000,
          () -> {
            if (link.open && !closed) {
              published(queue, properties, body);
            }
          });
      return;
    }
    rejected |= !broker.store(queue, properties, body);
    unconfirmed--;
    if (world.losesConfirm()) {
      link.breakOff("Connection reset");
    }
  }

  private boolean awaitConfirms(long timeoutMillis) throws TimeoutException {
    long deadline = world.timeline.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    long pause = world.latency();
    while (true) {
      link.client.sleep(pause);
      link.requireOpen();
      if (unconfirmed == 0) {
        boolean all = !rejected;
        rejected = false;
        return all;
      }
      if (world.timeline.nanos() >= deadline) {
        throw new TimeoutException("no confirm");
      }
      pause = Math.min(2 * pause, 100_000_000);
    }
  }

  /**
   * Closes the channel; unacknowledged deliveries return to their queues.
   *
   * @param cause why the connection broke; null if the client closed the channel
   */
  void closed(@Nullable ShutdownSignalException cause) {
    if (closed) {
      return;
    }
    closed = true;
    subscriptions.forEach(each -> each.queue().subscriptions.remove(each));
    subscriptions.clear();
    unacknowledged.values().forEach(each -> broker.requeue(each.queue(), each.stored(), true));
    if (world.has(Defect.GIVEN_BACK_IS_COUNTED_TWICE)) {
      link.client.counters().of(link.stream).add(End.GIVEN_BACK, unacknowledged.size());
    }
    unacknowledged.clear();
    if (cause != null) {
      SimulatedBridge client = link.client;
      world.timeline.after(
          Math.max(0, client.frozenNanos()),
          () -> {
            if (!client.dead) {
              shutdownListeners.forEach(listener -> listener.shutdownCompleted(cause));
            }
          });
    }
  }
}
