package io.duplog.bridge.status;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Counters;
import io.duplog.pipeline.Ledgers;
import io.duplog.pipeline.Pipeline;
import io.duplog.receive.DeadLetters;
import io.duplog.receive.HeldBytes;
import io.duplog.receive.QueueConsumer;
import java.util.List;

/** The parts of a bridge, such as its consumers and its sink, whose state the status page shows. */
public record BridgeParts(
    BridgeConfig config,
    Counters counters,
    List<QueueConsumer> consumers,
    DeadLetters deadLetters,
    Pipeline pipeline,
    HeldBytes heldBytes,
    Ledgers ledgers,
    Sinks sinks) {

  /** Returns the consumers that read one stream's queues. */
  List<QueueConsumer> consumersOf(String stream) {
    return consumers.stream().filter(consumer -> consumer.stream().equals(stream)).toList();
  }
}
