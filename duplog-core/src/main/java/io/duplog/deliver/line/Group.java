package io.duplog.deliver.line;

import io.duplog.deliver.Parcel;
import io.duplog.wire.MessageBatch;
import java.util.ArrayDeque;
import java.util.Queue;

/** The parcels that are written and accepted together, and how far that is. One thread's. */
final class Group {
  private final LineFormat format;

  /** All of the group, and those of them that are not yet in the buffer. */
  private final ArrayDeque<Parcel> parcels = new ArrayDeque<>();

  private final Queue<Parcel> unwritten = new ArrayDeque<>();

  /** Of the first unwritten parcel, the message to begin at. */
  private int nextMessage;

  Group(LineFormat format) {
    this.format = format;
  }

  /** Takes parcels until there are no more, or these hold enough bytes. */
  void take(Queue<Parcel> from, long enoughBytes) {
    long bytes = 0;
    while (bytes < enoughBytes) {
      Parcel parcel = from.poll();
      if (parcel == null) {
        break;
      }
      parcels.add(parcel);
      bytes += parcel.batch().retainedBytes();
    }
    rewind();
  }

  boolean isEmpty() {
    return parcels.isEmpty();
  }

  /** Whether every line has been in a buffer. */
  boolean isWritten() {
    return unwritten.isEmpty();
  }

  /** All of it has to be written again. */
  void rewind() {
    unwritten.clear();
    unwritten.addAll(parcels);
    nextMessage = 0;
  }

  /** Puts as many of the next lines into the buffer as it holds. */
  void fill(LineBuffer buffer) {
    buffer.start();
    Parcel parcel = unwritten.peek();
    while (parcel != null && fill(buffer, parcel)) {
      unwritten.remove();
      nextMessage = 0;
      parcel = unwritten.peek();
    }
    buffer.finish();
  }

  private boolean fill(LineBuffer buffer, Parcel parcel) {
    MessageBatch batch = parcel.batch();
    for (int i = parcel.chosen().nextSetBit(nextMessage);
        i >= 0;
        i = parcel.chosen().nextSetBit(i + 1)) {
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

  /** Gives up what was taken, but for the first parcel, which is to be written from its start. */
  void withdrawAllButOne() {
    while (parcels.size() > 1) {
      parcels.removeLast().outcome().withdrawn();
    }
    rewind();
  }

  /** All of it is safe: says so to who delivered it, and is empty. */
  void accept() {
    for (Parcel parcel = parcels.poll(); parcel != null; parcel = parcels.poll()) {
      parcel.outcome().accepted();
    }
  }
}
