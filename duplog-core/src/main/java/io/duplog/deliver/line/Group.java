package io.duplog.deliver.line;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.wire.MessageBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The delivery requests that are written and accepted together, and how far that is. One thread's.
 */
final class Group {
  private final LineFormat format;

  private final List<DeliveryRequest> deliveries = new ArrayList<>();

  /** The first delivery request that is not yet in the buffer, and its message to begin at. */
  private int next;

  private int nextMessage;

  Group(LineFormat format) {
    this.format = format;
  }

  /** Takes delivery requests until there are no more, or these hold enough bytes. */
  void take(Queue<DeliveryRequest> from, long enoughBytes) {
    long bytes = 0;
    while (bytes < enoughBytes) {
      DeliveryRequest delivery = from.poll();
      if (delivery == null) {
        break;
      }
      deliveries.add(delivery);
      bytes += delivery.batch().retainedBytes();
    }
    rewind();
  }

  boolean isEmpty() {
    return deliveries.isEmpty();
  }

  /** Whether every line has been in a buffer. */
  boolean isWritten() {
    return next == deliveries.size();
  }

  /** All of it has to be written again. */
  void rewind() {
    next = 0;
    nextMessage = 0;
  }

  /** Puts as many of the next lines into the buffer as it holds. */
  void fill(LineBuffer buffer) {
    buffer.start();
    while (!isWritten() && fill(buffer, deliveries.get(next))) {
      next++;
      nextMessage = 0;
    }
    buffer.finish();
  }

  private boolean fill(LineBuffer buffer, DeliveryRequest delivery) {
    MessageBatch batch = delivery.batch();
    for (int i = delivery.chosen().nextSetBit(nextMessage);
        i >= 0;
        i = delivery.chosen().nextSetBit(i + 1)) {
      if (!buffer.add(batch.data(), format.start(batch, i), batch.end(i))) {
        nextMessage = i;
        return false;
      }
    }
    return true;
  }

  /**
   * Gives up what was taken, but for the first delivery request, which is to be written from its
   * start.
   */
  void withdrawAllButOne() {
    while (deliveries.size() > 1) {
      deliveries.remove(deliveries.size() - 1).callback().withdrawn();
    }
    rewind();
  }

  /** All of it is safe: says so to who delivered it, and is empty. */
  void accept() {
    rewind();
    while (!deliveries.isEmpty()) {
      deliveries.remove(0).callback().accepted();
    }
  }
}
