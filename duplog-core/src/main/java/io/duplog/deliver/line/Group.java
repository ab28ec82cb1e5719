package io.duplog.deliver.line;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.wire.MessageBatch;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The delivery requests that are written and accepted together, and how far that is. One thread's.
 */
final class Group {
  private final LineFormat format;

  /** All of the group, and those of them that are not yet in the buffer. */
  private final ArrayDeque<DeliveryRequest> deliveries = new ArrayDeque<>();

  private final Queue<DeliveryRequest> unwritten = new ArrayDeque<>();

  /** Of the first unwritten delivery request, the message to begin at. */
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
    return unwritten.isEmpty();
  }

  /** All of it has to be written again. */
  void rewind() {
    unwritten.clear();
    unwritten.addAll(deliveries);
    nextMessage = 0;
  }

  /** Puts as many of the next lines into the buffer as it holds. */
  void fill(LineBuffer buffer) {
    buffer.start();
    DeliveryRequest delivery = unwritten.peek();
    while (delivery != null && fill(buffer, delivery)) {
      unwritten.remove();
      nextMessage = 0;
      delivery = unwritten.peek();
    }
    buffer.finish();
  }

  private boolean fill(LineBuffer buffer, DeliveryRequest delivery) {
    MessageBatch batch = delivery.batch();
    for (int i = delivery.chosen().nextSetBit(nextMessage);
        i >= 0;
        i = delivery.chosen().nextSetBit(i + 1)) {
      int start =
          switch (format) {
            case MESSAGE -> batch.textStart(i);
            case SENDER_AND_MESSAGE -> batch.start(i);
          };
      if (!buffer.add(batch.data(), start, batch.end(i))) {
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
      deliveries.removeLast().callback().withdrawn();
    }
    rewind();
  }

  /** All of it is safe: says so to who delivered it, and is empty. */
  void accept() {
    for (DeliveryRequest delivery = deliveries.poll();
        delivery != null;
        delivery = deliveries.poll()) {
      delivery.callback().accepted();
    }
  }
}
