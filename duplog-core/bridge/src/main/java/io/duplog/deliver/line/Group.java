package io.duplog.deliver.line;

import io.duplog.deliver.DeliveryRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** The delivery requests that are written to the output and accepted together. Not thread-safe. */
final class Group {
  private final Framing framing;

  private final List<DeliveryRequest> deliveries = new ArrayList<>();

  /** Index of the first delivery request whose lines were not all put into a buffer. */
  private int nextIndex;

  /** Index of the first message of that delivery request whose line was not put into a buffer. */
  private int nextMessage;

  Group(Framing framing) {
    this.framing = framing;
  }

  /** Fills the group from the queue until the queue is empty or the group has enough bytes. */
  void take(Queue<DeliveryRequest> from, long enoughBytes) {
    long bytes = 0;
    while (bytes < enoughBytes) {
      DeliveryRequest delivery = from.poll();
      if (delivery == null) {
        break;
      }
      deliveries.add(delivery);
      bytes += delivery.retainedBytes();
    }
    rewind();
  }

  boolean isEmpty() {
    return deliveries.isEmpty();
  }

  /** Whether every line was put into a buffer. */
  boolean isWritten() {
    return nextIndex == deliveries.size();
  }

  /** Makes {@link #fill} start with the first line again. */
  void rewind() {
    nextIndex = 0;
    nextMessage = 0;
  }

  /** Puts as many of the remaining lines into the buffer as fit. */
  void fill(LineBuffer buffer) {
    buffer.start();
    while (!isWritten() && fill(buffer, deliveries.get(nextIndex))) {
      nextIndex++;
      nextMessage = 0;
    }
    buffer.finish();
  }

  private boolean fill(LineBuffer buffer, DeliveryRequest delivery) {
    for (int i = delivery.chosen().nextSetBit(nextMessage);
        i >= 0;
        i = delivery.chosen().nextSetBit(i + 1)) {
      if (!framing.put(delivery, i, buffer)) {
        nextMessage = i;
        return false;
      }
    }
    return true;
  }

  /**
   * Withdraws all delivery requests except for the first one, which will be written from its start.
   */
  void withdrawAllButOne() {
    while (deliveries.size() > 1) {
      deliveries.remove(deliveries.size() - 1).callback().withdrawn();
    }
    rewind();
  }

  /** Reports all delivery requests as accepted and empties the group. */
  void accept() {
    rewind();
    while (!deliveries.isEmpty()) {
      deliveries.remove(0).callback().accepted();
    }
  }
}
