package io.duplog.deliver.hec;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.answer.AnswerCounts;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.EventCounts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sink that sends the merged stream to Splunk's HTTP Event Collector, by one or several URLs. A
 * message is accepted when Splunk has received it or, if so configured, when the indexers have
 * acknowledged it.
 */
public final class HecSink implements Sink {
  private static final Logger log = LoggerFactory.getLogger(HecSink.class);

  /**
   * The text of the event that the bridge itself sends if a collector rejects events and there are
   * no others to send. It shows whether the collector accepts any event.
   */
  public static final String CONTROL_EVENT = ControlEvents.TEXT;

  private static final Duration MAX_CLOSE_TIME = Duration.ofSeconds(5);

  private final Consumer<String> bugListener;
  private final LongSupplier nanoClock;
  private final Routing routing;
  private final SendQueue queue;
  private final AnswerCounts answerCounts = new AnswerCounts();
  private final EventCounts acceptedEvents = new EventCounts();
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<HecSender> senders = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** The delivery requests without an outcome yet. */
  private final Set<Completion> openDeliveries = ConcurrentHashMap.newKeySet();

  private volatile boolean isClosed;

  /** Creates a sink that does nothing until it is {@linkplain #start started}. */
  HecSink(HecSinkConfig config, HecEnvironment environment) {
    this.bugListener = environment.context().failed();
    this.nanoClock = environment.nanoClock();
    this.routing = environment.routing();
    this.queue = new SendQueue(config, new PoisonIsolation(config, environment));
    for (String url : config.baseUrls()) {
      endpoints.add(new Endpoint(url, config, environment, queue::wakeAll));
      for (int n = 1; n <= config.requestsPerUrl(); n++) {
        Endpoint endpoint = endpoints.get(endpoints.size() - 1);
        Request request = new Request(config, environment.routing(), acceptedEvents);
        HecSender sender =
            new HecSender(url, config, environment, endpoint, queue, answerCounts, request);
        senders.add(sender);
        Thread thread = new Thread(() -> run(sender), "hec-" + endpoints.size() + "-" + n);
        thread.setDaemon(true);
        threads.add(thread);
      }
    }
    endpoints.forEach(endpoint -> endpoint.setAllEndpoints(endpoints));
  }

  /**
   * Opens the sink and starts its threads. No URL needs to be reachable yet.
   *
   * @throws SinkException if a TLS file or a rules file can't be used
   */
  public static Sink open(HecSinkConfig config, SinkContext context) throws SinkException {
    String hazard = config.routing().timeZone().hazard();
    if (hazard != null) {
      log.warn("{}", hazard);
    }
    return new HecSink(config, HecEnvironment.ofSystem(config, context)).start();
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
      // Memory may be exhausted, for example. A bridge that exits is restarted; one that continued
      // would
      // deliver less.
      log.error("A sender thread of sink hec died", e);
      if (!isClosed) {
        bugListener.accept("sink hec failed (" + e + "). See the stack trace in the log.");
      }
    }
  }

  @Override
  public void deliver(DeliveryRequest delivery) {
    Completion completion = new Completion(delivery, nanoClock.getAsLong(), openDeliveries::remove);
    openDeliveries.add(completion);
    queue.add(completion);
  }

  @Override
  public boolean isAvailable() {
    return !queue.poisonIsolation().isResting(nanoClock.getAsLong())
        && endpoints.stream().anyMatch(Endpoint::isHealthyOrUnknown);
  }

  @Override
  public void watch() {
    endpoints.forEach(endpoint -> endpoint.answerWatch().watch());
  }

  @Override
  public boolean acceptsNothing() {
    return queue.poisonIsolation().acceptsNothing();
  }

  @Override
  public int isolated() {
    return queue.poisonIsolation().isolated();
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
    return answerCounts.asMap();
  }

  /**
   * Gives up all delivery requests not accepted yet, even those in flight; ignores later answers.
   */
  @Override
  public void withdraw() {
    queue.clear(nanoClock.getAsLong());
    openDeliveries.forEach(Completion::withdraw);
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    senders.forEach(HecSender::stop);
    queue.wakeAll();
    threads.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + MAX_CLOSE_TIME.toNanos();
    try {
      for (Thread thread : threads) {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        thread.join(Math.max(1, leftMillis));
        if (thread.isAlive()) {
          throw new IOException(
              "sink hec did not finish its last request in time; its messages will be redelivered");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
