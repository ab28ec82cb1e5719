package io.duplog.bridge;

import com.google.common.collect.Lists;
import io.duplog.parts.RabbitMq;
import io.duplog.wire.MessageForm;
import io.duplog.wire.Partition;
import io.duplog.wire.Topology;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Publishes messages to a stream with several queues as a shim does, for tests of bridges. */
final class SpreadPublisher implements AutoCloseable {
  private final RabbitMq broker;
  private final List<TestPublisher> queues = new ArrayList<>();
  private final Partition partition;

  SpreadPublisher(RabbitMq broker, String stream, int count) throws Exception {
    this.broker = broker;
    this.partition = new Partition(MessageForm.TEXT, count);
    for (String queue : Topology.queues(Topology.DEFAULT_QUEUE, count)) {
      queues.add(new TestPublisher(broker, stream, queue));
    }
  }

  /** Publishes messages, in batches of this many for each queue. */
  void publish(int batch, String... messages) throws Exception {
    List<List<String>> gathered = new ArrayList<>();
    queues.forEach(queue -> gathered.add(new ArrayList<>()));
    for (String message : messages) {
      byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
      gathered.get(partition.of(bytes, 0, bytes.length)).add(message);
    }
    for (int queue = 0; queue < queues.size(); queue++) {
      for (List<String> each : Lists.partition(gathered.get(queue), batch)) {
        queues.get(queue).publish(each.toArray(String[]::new));
      }
    }
  }

  /** Whether each queue has this many consumers. */
  boolean isReadBy(int bridges) throws Exception {
    for (TestPublisher each : queues) {
      if (each.channel().consumerCount(each.queue()) != bridges) {
        return false;
      }
    }
    return true;
  }

  /** Whether no queue of the broker holds a message, ready or unacknowledged. */
  boolean isSettled() throws Exception {
    for (TestPublisher each : queues) {
      if (each.channel().messageCount(each.queue()) > 0) {
        return false;
      }
    }
    return broker.depth(queues.stream().map(TestPublisher::queue).toList()) == 0;
  }

  /** Deletes the queues that it declared, except the first, which every test has. */
  @Override
  public void close() throws Exception {
    for (TestPublisher each : queues) {
      if (!each.queue().equals(Topology.DEFAULT_QUEUE)) {
        each.delete(each.queue());
      }
      each.close();
    }
  }
}
