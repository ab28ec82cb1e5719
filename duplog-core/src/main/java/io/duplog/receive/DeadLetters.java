package io.duplog.receive;

import com.google.common.util.concurrent.Uninterruptibles;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.MessageProperties;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import io.duplog.wire.MessageBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts away what the sink refuses for good: on two brokers under one id, before anything is settled
 * by it; on one where no other takes it for half a minute. Bodies that can't be decoded are {@link
 * UnusableBodies}'. A thread of its own does that, so that a broker that is away holds up no
 * consumer.
 */
public final class DeadLetters implements RefusedMessages, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Of one letter, so that a broker takes it and an administrator can look at it. */
  private static final int MOST_MESSAGES = 1000;

  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_LETTERS = 100;

  /** For so long a second broker is waited for, which may only be starting again. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The same when what waits holds more than its part of the prefetch. */
  private static final long CROWDED_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Refused messages may hold an eighth of the prefetch. */
  private static final int PART_OF_PREFETCH = 8;

  /** What has to be the same for messages to travel together. */
  private record Kind(String stream, boolean senderPrefixed, String reason) {}

  /** A message that the sink refuses, its sender's prefix included. */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record Refused(Kind kind, byte[] message, long receivedMillis, Runnable kept) {}

  /** A letter on its way, and the addresses of the brokers that have it. */
  private record Sending(Kind kind, Letter letter, List<Runnable> kept, Set<String> safeAt) {}

  private final List<LetterHost> hosts;
  private final int copies;
  private final int crowd;
  private final Queue<Refused> refused = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Thread thread = new Thread(this::run, "dead-letters");
  private volatile boolean closing;

  // The rest belongs to the thread.

  private final Map<Kind, Deque<Refused>> sorted = new LinkedHashMap<>();
  private @Nullable Sending sending;

  /**
   * Makes the place for the dead letters of all streams.
   *
   * @param queues of each stream the first one, whose broker keeps letters
   */
  public static DeadLetters of(List<QueueSettings> queues, QueueConsumer.Environment environment) {
    return new DeadLetters(
        queues.stream()
            .map(
                queue ->
                    new LetterHost(
                        queue,
                        new DeadLetterBroker(queue, environment.connector()),
                        environment.nanoClock(),
                        environment.random()))
            .toList());
  }

  DeadLetters(List<LetterHost> hosts) {
    this.hosts = hosts;
    this.copies =
        (int) Math.min(2, hosts.stream().map(host -> host.settings().address()).distinct().count());
    this.crowd =
        hosts.stream().mapToInt(host -> host.settings().prefetch()).min().orElse(1)
            / PART_OF_PREFETCH;
  }

  /** Begins to put away, and to look for room for what waits at the brokers. */
  public void start() {
    if (copies == 1) {
      log.info("there is one broker alone: what the sink refuses for good is kept on one host");
    }
    thread.start();
  }

  @Override
  public void add(
      String stream,
      MessageBatch batch,
      int message,
      long receivedMillis,
      String reason,
      Runnable kept) {
    byte[] bytes = Arrays.copyOfRange(batch.data(), batch.start(message), batch.end(message));
    waiting.incrementAndGet();
    refused.add(
        new Refused(new Kind(stream, batch.senderPrefixed(), reason), bytes, receivedMillis, kept));
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closing) {
      try {
        runOnce();
      } catch (RuntimeException e) {
        log.error("dead-lettering failed: it is tried again", e);
      }
      LockSupport.parkNanos(this, TICK_NANOS);
    }
    hosts.forEach(LetterHost::close);
  }

  /** One step: puts away what was refused, and moves what waits at a broker. */
  void runOnce() {
    for (int i = 0; i < MOST_LETTERS && publishNext(); i++) {}
    for (LetterHost host : hosts) {
      host.sweep(letter -> storeElsewhere(host, letter));
    }
  }

  private boolean publishNext() {
    Sending next = sending == null ? gather() : sending;
    sending = next;
    if (next == null) {
      return false;
    }
    for (LetterHost host : inOrderOf(next.kind().stream())) {
      if (next.safeAt().size() < copies
          && !next.safeAt().contains(host.settings().address())
          && host.store(next.letter())) {
        next.safeAt().add(host.settings().address());
      }
    }
    if (next.safeAt().size() < copies && !isLeftAlone(next)) {
      return false;
    }
    sending = null;
    log.warn(
        "the sink refuses {} messages of {} ({}): they are dead letters, on {}",
        next.kept().size(),
        next.kind().stream(),
        next.kind().reason(),
        String.join(" and ", next.safeAt()));
    waiting.addAndGet(-next.kept().size());
    next.kept().forEach(Runnable::run);
    return true;
  }

  /**
   * Whether no other broker has taken anything for so long that the letter's only one has to do: it
   * is where the messages were all the time. That broker is told to copy it as soon as possible.
   */
  private boolean isLeftAlone(Sending next) {
    long patience = waiting.get() > crowd ? CROWDED_PATIENCE_NANOS : PATIENCE_NANOS;
    List<LetterHost> having = new ArrayList<>(hosts);
    having.removeIf(host -> !next.safeAt().contains(host.settings().address()));
    Map<String, Object> headers = Letter.headers(next.letter().properties());
    headers.put(Envelope.ALONE_HEADER, 1);
    return !having.isEmpty()
        && hosts.stream().allMatch(host -> having.contains(host) || host.unableNanos() > patience)
        && having.get(0).askForCopy(next.letter().with(headers));
  }

  private boolean storeElsewhere(LetterHost not, Letter letter) {
    Map<String, Object> headers = Letter.headers(letter.properties());
    headers.remove(Envelope.ALONE_HEADER);
    Letter copy = letter.with(headers);
    return hosts.stream()
        .filter(host -> !host.settings().address().equals(not.settings().address()))
        .anyMatch(host -> host.store(copy));
  }

  /** The stream's own broker first, then those behind it. */
  private List<LetterHost> inOrderOf(String stream) {
    List<LetterHost> order = new ArrayList<>(hosts);
    for (int i = 0; i < hosts.size() && !order.get(0).settings().stream().equals(stream); i++) {
      order.add(order.remove(0));
    }
    return order;
  }

  private @Nullable Sending gather() {
    for (Refused next = refused.poll(); next != null; next = refused.poll()) {
      sorted.computeIfAbsent(next.kind(), any -> new ArrayDeque<>()).add(next);
    }
    if (sorted.isEmpty()) {
      return null;
    }
    Kind kind = sorted.keySet().iterator().next();
    Deque<Refused> of = Objects.requireNonNull(sorted.remove(kind));
    List<Runnable> kept = new ArrayList<>();
    List<Long> received = new ArrayList<>();
    try (BatchEncoder encoder = new BatchEncoder(kind.senderPrefixed(), true)) {
      while (!of.isEmpty() && kept.size() < MOST_MESSAGES && encoder.size() < MOST_BYTES) {
        Refused next = of.remove();
        encoder.add(next.message(), 0, next.message().length);
        received.add(next.receivedMillis());
        kept.add(next.kept());
      }
      if (!of.isEmpty()) {
        sorted.put(kind, of); // behind the others
      }
      EncodedBatch encoded = encoder.encode();
      AMQP.BasicProperties properties =
          MessageProperties.MINIMAL_PERSISTENT_BASIC
              .builder()
              .contentType(Envelope.CONTENT_TYPE)
              .contentEncoding(encoded.encoding().token())
              .messageId("refused-" + UUID.randomUUID())
              .headers(
                  Map.of(
                      Envelope.COUNT_HEADER, encoded.count(),
                      Envelope.STREAM_HEADER, kind.stream(),
                      Envelope.RECEIVED_HEADER, received,
                      Envelope.REASON_HEADER, kind.reason()))
              .build();
      return new Sending(kind, new Letter(properties, encoded.body()), kept, new HashSet<>());
    }
  }

  /** Messages that wait in the bridge to be put away. Any thread. */
  public int waiting() {
    return waiting.get();
  }

  /** Letters in the dead-letter queue of a stream's broker, seconds ago. Any thread. */
  public long letters(String stream) {
    return hostOf(stream).letters();
  }

  /** Letters that wait at a stream's broker for room or for another broker. Any thread. */
  public long lettersWaiting(String stream) {
    return hostOf(stream).waiting();
  }

  private LetterHost hostOf(String stream) {
    return inOrderOf(stream).get(0);
  }

  /** What is wrong, in a line for an operator; null where all is well. Any thread. */
  public @Nullable String trouble() {
    String troubles =
        hosts.stream()
            .map(LetterHost::trouble)
            .filter(Objects::nonNull)
            .collect(Collectors.joining("; "));
    int now = waiting.get();
    long letters = hosts.stream().mapToLong(LetterHost::waiting).sum();
    if (troubles.isEmpty() && letters == 0) {
      return null;
    }
    return "%d refused messages wait in the bridge, and %d copies of letters at the brokers, until two brokers have room: %s"
        .formatted(now, letters, troubles.isEmpty() ? "they will be moved" : troubles);
  }

  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    Uninterruptibles.joinUninterruptibly(thread, 5, TimeUnit.SECONDS);
  }
}
