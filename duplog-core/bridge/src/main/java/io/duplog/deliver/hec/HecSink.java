package io.duplog.deliver.hec;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.answer.AnswerCounts;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.EventCounts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the merged stream to Splunk's HTTP Event Collector, which may have several URLs. A message
 * is accepted when Splunk has received it or, if so configured, when the indexers have acknowledged
 * it.
 */
public final class HecSink implements Sink {
  private static final Logger log = LoggerFactory.getLogger(HecSink.class);

  /**
   * The text of the event that the bridge itself sends when a collector refuses events and there
   * are no others to send. It shows whether the collector accepts any.
   */
  public static final String CONTROL_EVENT = ControlEvents.TEXT;

  private static final Duration CLOSING_TIME = Duration.ofSeconds(5);

  private final Consumer<String> defectListener;
  private final LongSupplier nanoClock;
  private final Routing routing;
  private final SendQueue queue;
  private final AnswerCounts answers = new AnswerCounts();
  private final EventCounts acceptedEvents = new EventCounts();
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<HecSender> senders = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** All delivery requests whose callback was not called yet. */
  private final Set<Completion> underWay = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /** Creates a sink that does nothing until it is {@linkplain #start started}. */
  HecSink(HecSinkConfig config, HecEnvironment environment, Consumer<String> defectListener) {
    this.defectListener = defectListener;
    this.nanoClock = environment.nanoClock();
    this.routing = environment.routing();
    this.queue = new SendQueue(config, new PoisonIsolation(config, environment));
    for (String url : config.bases()) {
      endpoints.add(new Endpoint(url, config, environment, queue::wakeAll));
      for (int n = 1; n <= config.requestsPerUrl(); n++) {
        Endpoint endpoint = endpoints.get(endpoints.size() - 1);
        Request request = new Request(config, environment.routing(), acceptedEvents);
        HecSender sender =
            new HecSender(url, config, environment, endpoint, queue, answers, request);
        senders.add(sender);
        Thread thread = new Thread(() -> run(sender), "hec-" + endpoints.size() + "-" + n);
        thread.setDaemon(true);
        threads.add(thread);
      }
    }
    endpoints.forEach(endpoint -> endpoint.setAll(endpoints));
  }

  /**
   * Opens the sink and starts its threads. No URL needs to be reachable yet.
   *
   * @param defectListener called once with a line for the administrator if a thread has met a
   *     defect and ended; the process has to end then
   * @throws SinkException if a file for TLS or a file of rules can't be used
   */
  public static Sink open(HecSinkConfig config, Consumer<String> defectListener)
      throws SinkException {
    String hazard = config.routing().timeZone().hazard();
    if (hazard != null) {
      log.warn("{}", hazard);
    }
    return new HecSink(config, HecEnvironment.ofSystem(config), defectListener).start();
  }

  HecSink start() {
    threads.forEach(Thread::start);
    return this;
  }

  /** Returns all senders in the order of the URLs, {@code requests-per-url} for each URL. */
  List<HecSender> senders() {
    return senders;
  }

  private void run(HecSender sender) {
    try {
      sender.run();
    } catch (RuntimeException | Error e) {
      // For example out of memory. A bridge that ends is started again; one that goes on would
      // deliver less.
      log.error("sink hec failed", e);
      if (!closed) {
        defectListener.accept("sink hec failed (" + e + "): ending, nothing more is settled");
      }
    }
  }

  @Override
  public void deliver(DeliveryRequest delivery) {
    Completion completion = new Completion(delivery, nanoClock.getAsLong(), underWay::remove);
    underWay.add(completion);
    queue.add(completion);
  }

  @Override
  public boolean isAvailable() {
    return !queue.isolation().isResting(nanoClock.getAsLong())
        && endpoints.stream().anyMatch(Endpoint::isPromising);
  }

  @Override
  public @Nullable String trouble() {
    Stream<@Nullable String> lines = endpoints.stream().map(Endpoint::trouble);
    String all =
        Stream.concat(lines, Stream.of(queue.isolation()).map(PoisonIsolation::current))
            .filter(Objects::nonNull)
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? null : all;
  }

  @Override
  public boolean acceptsNothing() {
    return queue.isolation().acceptsNothing();
  }

  @Override
  public int isolated() {
    return queue.isolation().isolated();
  }

  @Override
  public Routing routing() {
    return routing;
  }

  @Override
  public Map<EventCounts.Source, Long> accepted() {
    return acceptedEvents.sums();
  }

  @Override
  public Map<String, LongSupplier> answers() {
    return answers.asMap();
  }

  /**
   * Gives up all delivery requests not yet accepted, even those in flight; ignores later answers.
   */
  @Override
  public void withdraw() {
    queue.clear(nanoClock.getAsLong());
    underWay.forEach(Completion::withdraw);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    senders.forEach(HecSender::stop);
    queue.wakeAll();
    threads.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + CLOSING_TIME.toNanos();
    try {
      for (Thread thread : threads) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        thread.join(Math.max(1, left));
        if (thread.isAlive()) {
          throw new IOException("sink hec does not return from its last request");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
