package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of one request, encoded as messages, on their way to RabbitMQ. A submission is
 * answered exactly once. Events are added by one thread; the other methods are thread-safe.
 */
final class Submission {
  /** Size in bytes of what is kept for each message apart from its bytes. */
  private static final int OVERHEAD_BYTES = Integer.BYTES;

  /** Maximum length of a reason. The reason is sent in a header, which RabbitMQ limits. */
  private static final int MAX_REASON_CHARS = 200;

  /** Maximum number of reasons, because each becomes a batch. */
  private static final int MAX_REASONS = 20;

  private static final String FURTHER_REASONS = "unusable for further reasons";

  private enum State {
    WAITING,
    TAKEN,
    ANSWERED
  }

  private final long deadlineNanos;
  private final long maxBytes;
  private final RequestMemory memory;
  private final Consumer<Answer> listener;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private Messages events = new Messages();
  private Map<String, Messages> unusableByReason = new LinkedHashMap<>();
  private long bytes;
  private @Nullable Answer refusal;

  /**
   * @param deadlineNanos time by which the client must have its answer, by {@link System#nanoTime}
   * @param maxBytes maximum size of all messages
   * @param listener sends the answer; any thread calls it
   */
  Submission(long deadlineNanos, long maxBytes, RequestMemory memory, Consumer<Answer> listener) {
    this.deadlineNanos = deadlineNanos;
    this.maxBytes = maxBytes;
    this.memory = memory;
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
    if (hasRoom(message.size())) {
      events.add(message.toByteArray());
    }
    return true;
  }

  /** Adds a part of the body that bridges put into the dead-letter queue. */
  void addUnusable(byte[] text, String reason) {
    if (hasRoom(text.length)) {
      String line = reason.replaceAll("\\p{Cntrl}", " ");
      String key = line.substring(0, Math.min(line.length(), MAX_REASON_CHARS));
      boolean isNew = !unusableByReason.containsKey(key);
      unusableByReason
          .computeIfAbsent(
              isNew && unusableByReason.size() >= MAX_REASONS ? FURTHER_REASONS : key,
              absent -> new Messages())
          .add(text);
    }
  }

  private boolean hasRoom(int messageBytes) {
    bytes += messageBytes + OVERHEAD_BYTES;
    if (refusal == null) {
      refusal = bytes > maxBytes ? Answer.TOO_LARGE : memory.take(messageBytes + OVERHEAD_BYTES);
    }
    return refusal == null;
  }

  /** Returns the answer if the events do not fit, or null if they do. */
  @Nullable Answer refusal() {
    return refusal;
  }

  /** Whether there is nothing to publish. */
  boolean isEmpty() {
    return events.count() == 0 && unusableByReason.isEmpty();
  }

  /** Returns the size of all messages in bytes. */
  long bytes() {
    return bytes;
  }

  Messages events() {
    return events;
  }

  /** Returns the parts of the body that bridges put into the dead-letter queue, by the reason. */
  Map<String, Messages> unusableByReason() {
    return unusableByReason;
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
      end(Answer.SERVER_BUSY);
    }
  }

  /** Sends the answer, unless there was one. The events must no longer be used. */
  void answer(Answer answer) {
    if (state.getAndSet(State.ANSWERED) != State.ANSWERED) {
      end(answer);
    }
  }

  /** Drops the events, because their memory does not count after the answer. */
  private void end(Answer answer) {
    events = new Messages();
    unusableByReason = Map.of();
    listener.accept(answer);
  }
}
