package io.duplog.deliver.kafka;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Payload;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.kafka.Suspects.Suspect;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.Backoff;
import io.duplog.observe.Trouble;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
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

  private final String name;
  private final KafkaTopics topics;
  private final Payload payload;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final SinkContext context;
  private final LongSupplier nanoClock;
  private final Trouble trouble;
  private final Trouble isolation;
  private final Thread thread;

  /** Requests with messages to send, for the sender. */
  private final Queue<PendingRequest> queue = new ConcurrentLinkedQueue<>();

  /** The current producer, which only the sender opens and closes. */
  private volatile @Nullable Producer<byte[], byte[]> producer;

  /** Whether the sender must replace the producer, and forget what it has not sent. */
  private volatile boolean isReplacementDue;

  private volatile boolean isStopping;

  private final Suspects suspects = new Suspects();

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
    this.isolation = context.trouble(log, "isolation of " + name);
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
    long now = nanoClock.getAsLong();
    List<Suspect> trial = suspects.take(now);
    if (!trial.isEmpty()) {
      sendTrial(trial);
      return 0;
    }
    PendingRequest request = suspects.blocksOthers() ? null : queue.poll();
    if (request == null) {
      return suspects.idleNanos(now);
    }
    send(request);
    return 0;
  }

  private long pauseLeftNanos() {
    synchronized (lock) {
      return pauseNanos == 0 ? 0 : pauseNanos - (nanoClock.getAsLong() - pausedSinceNanos);
    }
  }

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
      String topic = topics.of(request.delivery(), next);
      // While the sink is unavailable, only an answer of Kafka shows that it works again.
      String refusal = trouble.isOpen() ? null : topics.refusal(topic);
      if (refusal != null) {
        refuse(request, next, refusal);
        continue;
      }
      suspects.onSend();
      send(new KafkaRecord(open, request, next, topic, null));
      if (isReplacementDue || pauseLeftNanos() > 0) {
        queue.add(request); // the other messages would fail, too, perhaps each after a time-out
        return;
      }
    }
  }

  /** Sends messages of which one may be a poison, with no other record under way. */
  private void sendTrial(List<Suspect> trial) {
    Producer<byte[], byte[]> open;
    try {
      open = openProducer();
    } catch (KafkaException e) {
      for (Suspect suspect : trial) {
        suspects.putBack(suspect);
        suspects.onDone(suspect);
      }
      pauseAfter(e);
      return;
    }
    for (Suspect suspect : trial) {
      String topic = topics.of(suspect.request().delivery(), suspect.message());
      send(new KafkaRecord(open, suspect.request(), suspect.message(), topic, suspect));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the outcome
  private void send(KafkaRecord sent) {
    try {
      sent.producer()
          .send(sent.withContent(payload), (metadata, failure) -> completed(sent, failure));
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      completed(sent, e);
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

  /**
   * Closes the producer at once. Its unsent records fail, and the next producer sends them again.
   */
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

  /** Called by the producer with the outcome of a record. */
  private void completed(KafkaRecord sent, @Nullable Exception failure) {
    if (failure == null) {
      progressed();
      topics.accepted(sent.topic());
      suspects.onAccepted();
      done(sent.request(), sent.message());
    } else {
      failed(sent, failure);
    }
    suspects.onDone(sent.suspect());
    if (suspects.count() > 0) {
      LockSupport.unpark(thread);
    } else {
      isolation.recovered();
    }
  }

  private void failed(KafkaRecord sent, Exception failure) {
    PendingRequest request = sent.request();
    int message = sent.message();
    Suspect suspect = sent.suspect();
    String refusal =
        KafkaFailure.isOfMessage(failure)
            ? failure.getMessage()
            : topics.refused(sent.topic(), failure);
    if (refusal != null) {
      progressed();
      refuse(request, message, refusal);
    } else if (sent.producer() != producer || KafkaFailure.isOfCluster(failure)) {
      if (sent.producer() == producer) {
        isReplacementDue |= !(failure instanceof RetriableException);
        pauseAfter(failure);
      }
      if (suspect != null) {
        suspects.putBack(suspect);
      } else if (request.failed(message)) {
        enqueue(request);
      }
    } else if (request.suspected(message)) {
      progressed(); // Kafka has answered
      isolate(request, message, suspect, failure);
    }
  }

  private void isolate(
      PendingRequest request, int message, @Nullable Suspect suspect, Exception failure) {
    String cause = failure.getClass().getSimpleName() + ": " + KafkaFailure.reason(failure);
    isolation.occurred(
        failure.getClass().getSimpleName(),
        name
            + " refuses records, perhaps because of one of them ("
            + cause
            + "). The bridge sends them apart until each is accepted or "
            + (context.isRequired() ? "becomes a dead letter" : "is missing there")
            + "; others continue. If this recurs, check the log of Kafka's brokers.");
    long now = nanoClock.getAsLong();
    if (suspect == null) {
      suspects.add(request, message, now);
    } else if (suspects.isGivenUp(suspect, now)) {
      refuse(
          request,
          message,
          "alone, "
              + Suspects.FAILURES_TO_GIVE_UP
              + " times while other records were accepted ("
              + cause
              + ")");
    } else if (suspects.isProducerInDoubt()) {
      isReplacementDue = true; // nothing else is under way that would be sent twice
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
    occurred(failure.getClass().getSimpleName(), KafkaFailure.reason(failure));
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

  @Override
  public boolean isAvailable() {
    return !trouble.isOpen();
  }

  @Override
  public boolean acceptsNothing() {
    return suspects.areAllRefused();
  }

  @Override
  public int isolated() {
    return suspects.count();
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
    suspects.dropEnded();
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
