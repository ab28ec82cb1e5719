package io.duplog.deliver.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Throwables;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Payload;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.Backoff;
import io.duplog.observe.Trouble;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sink that writes each message as a record of a topic. A request is accepted when all in-sync
 * replicas have each of its records. One thread hands records to Kafka's producer, because that may
 * block while the producer's memory is full. The producer's own thread reports the outcome.
 *
 * @see "docs/decisions/sinks.md#syslog-and-kafka"
 */
public final class KafkaSink implements Sink {
  private static final Logger log = LoggerFactory.getLogger(KafkaSink.class);

  /** Time without any acknowledgement after which the sink is unavailable, in nanoseconds. */
  private static final long SILENCE_NANOS = Duration.ofSeconds(10).toNanos();

  private static final long MIN_PAUSE_NANOS = Duration.ofMillis(250).toNanos();
  private static final long MAX_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(10);

  private static final byte[] REDELIVERED = "redelivered".getBytes(UTF_8);
  private static final byte[] UNACKNOWLEDGED = "unacknowledged".getBytes(UTF_8);

  private final String name;
  private final KafkaTopics topics;
  private final Payload payload;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final SinkContext context;
  private final LongSupplier nanoClock;
  private final Trouble trouble;
  private final Thread thread;

  /** Requests with messages to send, for the sender. */
  private final Queue<PendingRequest> queue = new ConcurrentLinkedQueue<>();

  /** The current producer, which only the sender opens and closes. */
  private volatile @Nullable Producer<byte[], byte[]> producer;

  /** Whether the sender must replace the producer, and forget what it has not sent. */
  private volatile boolean isReplacementDue;

  private volatile boolean isStopping;

  private final Object lock = new Object();

  /** The requests that are not accepted yet, in the order of their arrival. Guarded by the lock. */
  private final Set<PendingRequest> pending = new LinkedHashSet<>();

  private final Backoff backoff; // guarded by the lock
  private long pauseNanos; // guarded by the lock, as the next field
  private long pausedSinceNanos;

  /** Time of the last outcome in nanoseconds, or of the first request after none was pending. */
  private volatile long progressNanos;

  /**
   * @param rules the rules that may set topics, or null if there are none
   */
  KafkaSink(
      KafkaSinkConfig config,
      @Nullable Routing rules,
      Supplier<Producer<byte[], byte[]>> producers,
      SinkContext context) {
    this.name = config.displayName();
    this.topics = new KafkaTopics(config.topic(), rules, name, log, context);
    this.payload = config.payload();
    this.producers = producers;
    this.context = context;
    this.nanoClock = context.board().nanoClock();
    this.trouble = context.trouble(log, name);
    this.backoff = new Backoff(MIN_PAUSE_NANOS, MAX_PAUSE_NANOS, ThreadLocalRandom.current());
    this.thread = new Thread(this::run, "deliver-kafka");
    thread.setDaemon(true);
  }

  /**
   * Opens the sink and starts the thread that connects and sends.
   *
   * @param rules the rules that may set topics, or null if there are none
   */
  public static Sink open(KafkaSinkConfig config, @Nullable Routing rules, SinkContext context) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    return new KafkaSink(
            config, rules, () -> new KafkaProducer<>(config.producer(), bytes, bytes), context)
        .start();
  }

  /**
   * Asks the cluster for the sink's topic and those that rules set, and sends nothing.
   *
   * @throws SinkException if the cluster can't be reached, or this user can't see a topic
   */
  public static void check(KafkaSinkConfig config, @Nullable Routing rules) throws SinkException {
    Set<String> names = new LinkedHashSet<>(List.of(config.topic()));
    names.addAll(rules == null ? Set.of() : rules.topics());
    String asked = config.topic();
    try (Admin admin = Admin.create(config.connection())) {
      Map<String, KafkaFuture<TopicDescription>> answers =
          admin.describeTopics(names).topicNameValues();
      for (String topic : names) {
        asked = topic;
        Objects.requireNonNull(answers.get(topic)).get(CHECK_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      }
    } catch (TimeoutException e) {
      throw new SinkException(
          config.displayName() + ": no answer within " + CHECK_TIMEOUT.toSeconds() + " s", e);
    } catch (ExecutionException | KafkaException e) {
      String which = asked.equals(config.topic()) ? "" : "topic " + asked + " of a rule: ";
      throw new SinkException(config.displayName() + ": " + which + reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SinkException(config.displayName() + ": the check was interrupted", e);
    }
  }

  KafkaSink start() {
    thread.start();
    return this;
  }

  @Override
  public void deliver(DeliveryRequest delivery) {
    PendingRequest request = new PendingRequest(delivery);
    synchronized (lock) {
      if (pending.isEmpty()) {
        progressNanos = nanoClock.getAsLong();
      }
      pending.add(request);
    }
    enqueue(request);
  }

  private void enqueue(PendingRequest request) {
    queue.add(request);
    LockSupport.unpark(thread);
  }

  private void run() {
    try {
      while (!isStopping) {
        long idleNanos = runOnce();
        if (idleNanos > 0) {
          LockSupport.parkNanos(this, idleNanos);
        }
      }
    } catch (InterruptException e) {
      log.debug("{} is closed while it sends", name);
    } catch (RuntimeException | Error e) {
      // A defect. A bridge that ends is restarted. A bridge that continued would deliver nothing.
      log.error("{} failed", name, e);
      context.failed().accept(name + " failed (" + e + "). See the stack trace in the log.");
    } finally {
      endProducer();
    }
  }

  /**
   * Sends the next request, unless the sink pauses after a failure. Called by the sender, or by a
   * test in its place.
   *
   * @return nanoseconds to pause, unless a request arrives
   */
  long runOnce() {
    if (isReplacementDue) {
      isReplacementDue = false;
      closeProducer();
    }
    long left = pauseLeftNanos();
    if (left > 0) {
      return left;
    }
    PendingRequest request = queue.poll();
    if (request == null) {
      return Long.MAX_VALUE;
    }
    send(request);
    return 0;
  }

  private long pauseLeftNanos() {
    synchronized (lock) {
      return pauseNanos == 0 ? 0 : pauseNanos - (nanoClock.getAsLong() - pausedSinceNanos);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the outcome
  private void send(PendingRequest request) {
    Producer<byte[], byte[]> open;
    try {
      open = openProducer();
    } catch (KafkaException e) {
      queue.add(request);
      pauseAfter(e);
      return;
    }
    topics.refresh();
    for (int next = request.next(); next >= 0; next = request.next()) {
      int message = next;
      String topic = topics.of(request.delivery(), message);
      // While the sink is unavailable, only an answer of Kafka shows that it works again.
      String refusal = trouble.isOpen() ? null : topics.refusal(topic);
      if (refusal != null) {
        refuse(request, message, refusal);
        continue;
      }
      try {
        open.send(
            record(request, message, topic),
            (metadata, failure) -> completed(open, request, message, topic, failure));
      } catch (InterruptException e) {
        throw e;
      } catch (KafkaException e) {
        completed(open, request, message, topic, e);
      }
      if (isReplacementDue || pauseLeftNanos() > 0) {
        queue.add(request); // the other messages would fail, too, perhaps each after a time-out
        return;
      }
    }
  }

  private Producer<byte[], byte[]> openProducer() {
    Producer<byte[], byte[]> open = producer;
    if (open == null) {
      open = producers.get();
      producer = open;
    }
    return open;
  }

  /** Closes the producer at once. What it has not sent fails, and is sent again by the next one. */
  private void closeProducer() {
    Producer<byte[], byte[]> open = producer;
    producer = null;
    if (open != null) {
      open.close(Duration.ZERO);
    }
  }

  /** Closes the producer when the sink closes, which interrupts the sender. */
  private void endProducer() {
    Thread.interrupted(); // the producer's end would otherwise throw
    try {
      closeProducer();
    } catch (InterruptException e) {
      log.debug("{} is closed while it closes the producer", name);
    }
  }

  private ProducerRecord<byte[], byte[]> record(PendingRequest request, int message, String topic) {
    DeliveryRequest delivery = request.delivery();
    String sender = delivery.batch().sender(message);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic,
            sender == null ? null : sender.getBytes(ISO_8859_1),
            payload.of(delivery, message));
    Headers headers = record.headers();
    headers.add("stream", delivery.stream().getBytes(UTF_8));
    headers.add("digest", delivery.digests().apply(message).getBytes(UTF_8));
    headers.add("dedup", delivery.passage().name().toLowerCase(Locale.ROOT).getBytes(UTF_8));
    if (request.isResent(message)) {
      headers.add("resent", UNACKNOWLEDGED);
    } else if (delivery.origin().isRedelivered()) {
      headers.add("resent", REDELIVERED);
    }
    return record;
  }

  /** Called by the producer with the outcome of a record. */
  private void completed(
      Producer<byte[], byte[]> by,
      PendingRequest request,
      int message,
      String topic,
      @Nullable Exception failure) {
    if (failure == null) {
      progressed();
      topics.accepted(topic);
      done(request, message);
      return;
    }
    String refusal =
        failure instanceof RecordTooLargeException || failure instanceof InvalidRecordException
            ? failure.getMessage()
            : topics.refused(topic, failure);
    if (refusal != null) {
      progressed();
      refuse(request, message, refusal);
    } else {
      if (by == producer) {
        isReplacementDue |= !(failure instanceof RetriableException);
        pauseAfter(failure);
      }
      if (request.failed(message)) {
        enqueue(request);
      }
    }
  }

  private void refuse(PendingRequest request, int message, String reason) {
    request.refuse(message, "Kafka refuses it: " + reason, () -> done(request, message));
  }

  private void progressed() {
    progressNanos = nanoClock.getAsLong();
    trouble.recovered();
  }

  private void done(PendingRequest request, int message) {
    if (request.done(message)) {
      synchronized (lock) {
        pending.remove(request);
      }
      request.delivery().callback().accepted();
    }
  }

  private void pauseAfter(Exception failure) {
    synchronized (lock) {
      long left = pauseLeftNanos();
      if (left <= -MAX_PAUSE_NANOS) {
        backoff.reset(); // an acknowledgement does not, because one record may fail again and again
      }
      if (left <= 0) {
        pauseNanos = backoff.nextNanos();
        pausedSinceNanos = nanoClock.getAsLong();
      }
    }
    occurred(failure.getClass().getSimpleName(), reason(failure));
  }

  private void occurred(String cause, String words) {
    trouble.occurred(
        name,
        cause,
        name
            + " can't be written ("
            + words
            + "). "
            + context.consequence()
            + " Check Kafka's brokers, the topic, and the user's"
            + " rights. The bridge keeps trying.");
  }

  /** Returns the innermost message that is about TLS or Kafka, because causes are more exact. */
  private static String reason(Throwable failure) {
    String reason = failure.toString();
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      boolean isTold = cause instanceof KafkaException || cause instanceof SSLException;
      if (isTold && cause.getMessage() != null) {
        reason = cause.getMessage();
      }
    }
    return reason;
  }

  @Override
  public boolean isAvailable() {
    return !trouble.isOpen();
  }

  @Override
  public void watch() {
    boolean isSilent;
    synchronized (lock) {
      isSilent = !pending.isEmpty() && nanoClock.getAsLong() - progressNanos > SILENCE_NANOS;
    }
    if (isSilent && !trouble.isOpen()) {
      occurred("silence", "it has acknowledged nothing for 10 s");
    }
  }

  /**
   * Withdraws all requests except for the oldest one while the sink is unavailable, because only
   * that one shows when Kafka works again. The producer forgets what it has not sent.
   */
  @Override
  public void withdraw() {
    boolean isTrialNeeded = !isAvailable();
    List<PendingRequest> given;
    synchronized (lock) {
      given = new ArrayList<>(pending);
      if (isTrialNeeded && !given.isEmpty()) {
        given.remove(0);
      }
      given.forEach(pending::remove);
    }
    for (PendingRequest request : given) {
      if (request.giveUp()) {
        request.delivery().callback().withdrawn();
      }
    }
    if (isTrialNeeded && !given.isEmpty()) {
      isReplacementDue = true;
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (lock) {
      pending.forEach(PendingRequest::giveUp);
      pending.clear();
    }
    isStopping = true;
    thread.interrupt(); // the producer may wait for memory or metadata
    try {
      thread.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new IOException(name + " does not return from its last call");
    }
  }
}
