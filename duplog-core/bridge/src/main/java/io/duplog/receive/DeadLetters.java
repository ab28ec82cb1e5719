package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.MessageProperties;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.observe.PollingThread;
import io.duplog.observe.Runbook;
import io.duplog.observe.Trouble;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores messages that Splunk permanently refuses as dead letters, each on two RabbitMQs. Each
 * message is published to two brokers under one id before its batch is settled. One broker is
 * enough if no other accepts the message for half a minute. A separate thread does this, so that an
 * unavailable broker delays no consumer. {@link UnusableBodies} handles bodies that can't be
 * decoded.
 *
 * @see "docs/decisions/receive.md#dead-letters"
 */
public final class DeadLetters implements RefusedMessages, AutoCloseable {
  /** The name of the component on the board. */
  public static final String SUBJECT = "dead letters";

  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);
  private static final Duration TICK = Duration.ofMillis(10);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Limit of messages in one dead letter, so that a broker accepts it and an administrator can view
   * it.
   */
  private static final int MAX_MESSAGES = 1000;

  private static final int MAX_LETTER_BYTES = 1 << 20;
  private static final int MAX_LETTERS_PER_RUN = 100;

  /** Time in nanoseconds to wait for a second broker, which may only be restarting. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Time in nanoseconds to wait for a second broker while too many refused messages wait. */
  private static final long CROWDED_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Divisor of the prefetch. If more refused messages than that wait, the wait for a second broker
   * is shorter.
   */
  private static final int CROWDED_PREFETCH_DIVISOR = 8;

  /** Properties that all messages of one dead letter share. */
  private record Kind(String stream, MessageForm form, @Nullable String sink, String reason) {

    Map<String, Object> headers(int count, List<Long> received) {
      Map<String, Object> headers = new HashMap<>();
      headers.put(Envelope.COUNT_HEADER, count);
      headers.put(Envelope.STREAM_HEADER, stream);
      headers.put(Envelope.RECEIVED_HEADER, received);
      headers.put(Envelope.REASON_HEADER, reason);
      if (sink != null) {
        headers.put(Envelope.SINK_HEADER, sink);
      }
      return headers;
    }
  }

  /** A message that the sink refuses, including its sender's prefix if its batch has prefixes. */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record Refused(Kind kind, byte[] message, long receivedMillis, Runnable kept) {}

  /** A dead letter that is being published, and the addresses of brokers that have confirmed it. */
  private record Sending(Kind kind, Letter letter, List<Runnable> kept, Set<String> safeAt) {}

  private final List<LetterHost> hosts;
  private final Trouble waitingTrouble;
  private final int copies;
  private final int crowdedCount;
  private final Queue<Refused> refusedMessages = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingMessages = new AtomicInteger();
  private final PollingThread thread =
      new PollingThread("dead-letters", TICK, this::runOnce, this::closeHosts);

  // The fields below belong to the thread.

  private final Map<Kind, Deque<Refused>> refusedByKind = new LinkedHashMap<>();
  private @Nullable Sending currentSending;

  /**
   * Creates the store for the dead letters of all streams.
   *
   * @param queues all queues. The broker of a stream's first queue stores dead letters.
   */
  public static DeadLetters of(List<QueueSettings> queues, QueueConsumer.Environment environment) {
    Map<String, List<QueueSettings>> byStream = new LinkedHashMap<>();
    queues.forEach(
        queue -> byStream.computeIfAbsent(queue.stream(), any -> new ArrayList<>()).add(queue));
    return new DeadLetters(
        byStream.values().stream()
            .map(
                ofStream ->
                    new LetterHost(
                        ofStream.get(0),
                        ofStream.subList(1, ofStream.size()),
                        new DeadLetterBroker(ofStream.get(0), environment.connector()),
                        environment.board(),
                        environment.random()))
            .toList(),
        environment.board());
  }

  DeadLetters(List<LetterHost> hosts, Conditions board) {
    this.hosts = hosts;
    this.waitingTrouble =
        board.trouble(
            log, "storing of dead letters", SUBJECT, Level.DEGRADED, Runbook.DEAD_LETTERS_WAIT);
    this.copies =
        (int) Math.min(2, hosts.stream().map(host -> host.settings().address()).distinct().count());
    this.crowdedCount =
        hosts.stream().mapToInt(host -> host.settings().prefetch()).min().orElse(1)
            / CROWDED_PREFETCH_DIVISOR;
  }

  /**
   * Starts the thread, which stores refused messages and moves waiting dead letters between
   * brokers.
   */
  public void start() {
    if (copies == 1) {
      log.info(
          "There is only one broker. Messages that the sink permanently rejects are stored on a single host.");
    }
    thread.start();
  }

  @Override
  public void add(
      String stream,
      MessageBatch batch,
      int message,
      long receivedMillis,
      @Nullable String sink,
      String reason,
      Runnable kept) {
    byte[] bytes =
        Arrays.copyOfRange(batch.data(), batch.encodedStart(message), batch.end(message));
    waitingMessages.incrementAndGet();
    refusedMessages.add(
        new Refused(new Kind(stream, batch.form(), sink, reason), bytes, receivedMillis, kept));
    thread.hurry();
  }

  private void closeHosts() {
    hosts.forEach(LetterHost::close);
  }

  /**
   * Performs one run: stores refused messages, and moves waiting dead letters to another broker.
   */
  void runOnce() {
    for (int i = 0; i < MAX_LETTERS_PER_RUN && publishNext(); i++) {}
    for (LetterHost host : hosts) {
      host.sweep(letter -> storeElsewhere(host, letter));
    }
    waitingTrouble.update(lettersThatWait());
  }

  /** Returns how many refused messages and dead letters wait for room, or null if there is room. */
  private @Nullable String lettersThatWait() {
    boolean isRoom = hosts.stream().noneMatch(LetterHost::isInTrouble);
    long letters = hosts.stream().mapToLong(LetterHost::waiting).sum();
    return isRoom && letters == 0
        ? null
        : "%d refused messages wait in the bridge, and %d copies of dead letters at the brokers, until two brokers have room.%s"
            .formatted(waitingMessages.get(), letters, isRoom ? " They will be moved." : "");
  }

  private boolean publishNext() {
    Sending next = currentSending == null ? gather() : currentSending;
    currentSending = next;
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
    currentSending = null;
    log.warn(
        "{} permanently rejected {} messages of stream {} ({}). They are stored as dead letters on {}. Run `duplog dead-letter list`.",
        next.kind().sink() == null ? "The sink" : "Sink " + next.kind().sink(),
        next.kept().size(),
        next.kind().stream(),
        next.kind().reason(),
        String.join(" and ", next.safeAt()));
    waitingMessages.addAndGet(-next.kept().size());
    next.kept().forEach(Runnable::run);
    return true;
  }

  /**
   * Whether a dead letter may stay on a single broker, because all others have been unable to
   * accept dead letters for too long. If so, stores a second copy in that broker's waiting queue,
   * from which it moves to another broker as soon as possible.
   */
  private boolean isLeftAlone(Sending next) {
    long patience = waitingMessages.get() > crowdedCount ? CROWDED_PATIENCE_NANOS : PATIENCE_NANOS;
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

  /** Returns all hosts in their order, rotated so that the stream's own host comes first. */
  private List<LetterHost> inOrderOf(String stream) {
    List<LetterHost> order = new ArrayList<>(hosts);
    for (int i = 0; i < hosts.size() && !order.get(0).settings().stream().equals(stream); i++) {
      order.add(order.remove(0));
    }
    return order;
  }

  private @Nullable Sending gather() {
    for (Refused next = refusedMessages.poll(); next != null; next = refusedMessages.poll()) {
      refusedByKind.computeIfAbsent(next.kind(), any -> new ArrayDeque<>()).add(next);
    }
    if (refusedByKind.isEmpty()) {
      return null;
    }
    Kind kind = refusedByKind.keySet().iterator().next();
    Deque<Refused> messages = Objects.requireNonNull(refusedByKind.remove(kind));
    List<Runnable> kept = new ArrayList<>();
    List<Long> received = new ArrayList<>();
    try (BatchEncoder encoder = new BatchEncoder(kind.form(), true)) {
      while (!messages.isEmpty()
          && kept.size() < MAX_MESSAGES
          && encoder.size() < MAX_LETTER_BYTES) {
        Refused next = messages.remove();
        encoder.add(next.message(), 0, next.message().length);
        received.add(next.receivedMillis());
        kept.add(next.kept());
      }
      if (!messages.isEmpty()) {
        refusedByKind.put(kind, messages); // after the other kinds
      }
      EncodedBatch encoded = encoder.encode();
      AMQP.BasicProperties properties =
          MessageProperties.MINIMAL_PERSISTENT_BASIC
              .builder()
              .contentType(Envelope.CONTENT_TYPE)
              .contentEncoding(encoded.encoding().token())
              .messageId("refused-" + UUID.randomUUID())
              .headers(kind.headers(encoded.count(), received))
              .build();
      return new Sending(kind, new Letter(properties, encoded.body()), kept, new HashSet<>());
    }
  }

  /** Returns the number of refused messages that wait in this process to be stored. Thread-safe. */
  public int waiting() {
    return waitingMessages.get();
  }

  /**
   * Returns the number of dead letters in the dead-letter queues of a stream, as counted some
   * seconds ago. Thread-safe.
   */
  public long letters(String stream) {
    return hostOf(stream).letters();
  }

  /**
   * Returns the number of dead letters that wait at a stream's broker for room or for another
   * broker, as counted some seconds ago. Thread-safe.
   */
  public long lettersWaiting(String stream) {
    return hostOf(stream).waiting();
  }

  private LetterHost hostOf(String stream) {
    return inOrderOf(stream).get(0);
  }

  @Override
  public void close() {
    thread.close();
    thread.awaitEnd(CLOSE_TIMEOUT);
  }
}
