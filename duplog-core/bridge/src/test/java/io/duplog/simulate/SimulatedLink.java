package io.duplog.simulate;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Simulates a bridge's connection to a broker, which a fault can break. A broken one is never
 * opened again.
 */
final class SimulatedLink {
  final SimulatedBroker broker;
  final SimulatedBridge client;

  /** Name by which the client knows the stream that it reads. */
  final String stream;

  private final List<SimulatedChannel> channels = new ArrayList<>();
  final Connection connection;
  boolean open = true;

  SimulatedLink(SimulatedBroker broker, SimulatedBridge client, String stream) {
    this.stream = stream;
    this.broker = broker;
    this.client = client;
    this.connection = proxy(Connection.class, (proxy, method, args) -> call(method.getName()));
  }

  /** Returns a proxy of an interface; methods that production does not call are not implemented. */
  static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object call(String method) {
    return switch (method) {
      case "createChannel" -> createChannel();
      case "isOpen" -> open;
      case "abort", "close" -> {
        close(null);
        yield null;
      }
      case "addShutdownListener", "addBlockedListener" -> null;
      case "getServerProperties" -> Map.of();
      case "hashCode" -> System.identityHashCode(this);
      case "toString" -> "connection to " + broker.host;
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private Channel createChannel() {
    client.sleep(broker.world.latency());
    requireOpen();
    SimulatedChannel channel = new SimulatedChannel(this, channels.size() + 1);
    channels.add(channel);
    return channel.channel;
  }

  void requireOpen() {
    if (!open) {
      throw new AlreadyClosedException(SimulatedBroker.signal("connection is closed", null));
    }
  }

  /** Waits for an answer of the broker. */
  void roundTrip() {
    requireOpen();
    client.sleep(broker.world.latency());
    while (open && broker.silent) {
      client.sleep(100_000_000);
    }
    if (!open) {
      throw SimulatedBroker.signal("connection reset", null);
    }
  }

  void breakOff(String why) {
    close(SimulatedBroker.signal(why, null));
  }

  private void close(ShutdownSignalException cause) {
    if (!open) {
      return;
    }
    open = false;
    broker.links.remove(this);
    channels.forEach(channel -> channel.closed(cause));
    broker.deliverAll();
  }
}
