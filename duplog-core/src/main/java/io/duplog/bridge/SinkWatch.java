package io.duplog.bridge;

import io.duplog.deliver.Sink;
import io.duplog.receive.QueueConsumer;
import io.duplog.settle.Settler;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes no deliveries while the sink accepts none. When that lasts longer than the hold limit, the
 * brokers get back what this bridge holds: another bridge may have a sink that works, and a broker
 * would take it back by itself after half an hour, again and again. For the settling thread.
 */
final class SinkWatch {
  private static final Logger log = LoggerFactory.getLogger(SinkWatch.class);

  private final Sink sink;
  private final Settler settler;
  private final List<QueueConsumer> consumers;
  private boolean away;
  private boolean gaveBack;

  SinkWatch(Sink sink, Settler settler, List<QueueConsumer> consumers) {
    this.sink = sink;
    this.settler = settler;
    this.consumers = consumers;
  }

  void runOnce() {
    boolean available = sink.isAvailable();
    if (away == available) {
      away = !available;
      gaveBack = false;
      consumers.forEach(consumer -> consumer.hold(away));
      if (away) {
        log.warn("the sink accepts nothing: taking no more deliveries until it does");
      } else {
        log.info("the sink accepts again: taking deliveries");
      }
    }
    if (!away || !settler.isOverdue()) {
      return;
    }
    if (!gaveBack) {
      gaveBack = true;
      log.warn(
          "the sink has accepted nothing for longer than settle.hold-limit: giving back {} batches"
              + " to the brokers, for other bridges or for later",
          settler.held());
      consumers.forEach(QueueConsumer::giveBack);
    }
    sink.withdraw(); // again and again, since a worker may have been about to deliver
  }
}
