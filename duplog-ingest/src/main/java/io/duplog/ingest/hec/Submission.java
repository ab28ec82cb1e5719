package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The events of one request, encoded as messages, on their way to RabbitMQ. It is answered exactly
 * once. Events are added by one thread; the other methods are thread-safe.
 */
final class Submission {
  private static final int INITIAL_BYTES = 8 << 10;

  /** A part of a body of which bridges make a dead letter. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Unusable(byte[] text, String reason) {}

  private enum State {
    WAITING,
    TAKEN,
    ANSWERED
  }

  private final long deadlineNanos;
  private final Consumer<Answer> listener;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final ByteArrayOutputStream messages = new ByteArrayOutputStream(INITIAL_BYTES);
  private final List<Integer> ends = new ArrayList<>();
  private final List<Unusable> unusable = new ArrayList<>();

  /**
   * @param deadlineNanos time by which the client must have its answer, by {@link System#nanoTime}
   * @param listener sends the answer; any thread calls it
   */
  Submission(long deadlineNanos, Consumer<Answer> listener) {
    this.deadlineNanos = deadlineNanos;
    this.listener = listener;
  }

  /**
   * Adds an event as a message of the form {@link io.duplog.wire.MessageForm#EVENT}. Returns false
   * if the message would be longer than it may be.
   */
  boolean add(HecEvent event, EventIdentity identity, int maxMessageBytes) {
    ByteArrayOutputStream message = new ByteArrayOutputStream(event.text().length() + 256);
    event.head().write(identity.of(event), message);
    message.writeBytes(identity.sender(event).getBytes(UTF_8));
    message.write(' ');
    message.writeBytes(event.text().getBytes(UTF_8));
    if (message.size() > maxMessageBytes) {
      return false;
    }
    messages.writeBytes(message.toByteArray());
    ends.add(messages.size());
    return true;
  }

  void addUnusable(byte[] text, String reason) {
    unusable.add(new Unusable(text, reason));
  }

  /** Whether there is nothing to publish. */
  boolean isEmpty() {
    return ends.isEmpty() && unusable.isEmpty();
  }

  /** Returns the size of all messages in bytes. */
  int size() {
    return messages.size();
  }

  /** Returns the messages one after another. */
  byte[] messages() {
    return messages.toByteArray();
  }

  /** Returns the offset after each message in {@link #messages}. */
  List<Integer> ends() {
    return ends;
  }

  List<Unusable> unusable() {
    return unusable;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Called before the events are published. Returns false if the client already has an answer. */
  boolean take() {
    return state.compareAndSet(State.WAITING, State.TAKEN);
  }

  /** Called at the deadline; answers that the server is busy unless the events were taken. */
  void expire() {
    if (state.compareAndSet(State.WAITING, State.ANSWERED)) {
      listener.accept(Answer.SERVER_BUSY);
    }
  }

  /** Sends the answer, unless there was one. */
  void answer(Answer answer) {
    if (state.getAndSet(State.ANSWERED) != State.ANSWERED) {
      listener.accept(answer);
    }
  }
}
