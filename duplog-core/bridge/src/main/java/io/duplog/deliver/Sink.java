package io.duplog.deliver;

import io.duplog.deliver.route.Routing;
import io.duplog.observe.EventCounts;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The destination of the merged stream, such as Splunk's HTTP Event Collector or a file.
 *
 * <p>A sink never loses a delivery request, and gives up none unasked. It retries until the whole
 * request is accepted, and only then calls its {@link DeliveryRequest.Callback}. It needs no limit,
 * because the bridge holds only as many batches as its prefetch allows. Thread-safe, except for
 * {@link #close}.
 */
public interface Sink extends AutoCloseable {
  /** The name of the component on the board. */
  String SUBJECT = "sink";

  /** Queues a delivery request for sending. Returns immediately. */
  void deliver(DeliveryRequest delivery);

  /**
   * Whether the sink is known to accept delivery requests now. If not, the bridge stops consuming
   * deliveries. Cheap to call.
   */
  boolean isAvailable();

  /**
   * Whether the sink seems available, but has accepted none of the last few different requests. The
   * bridge keeps consuming deliveries, because one of the next requests may succeed. If this lasts
   * for the hold limit, the bridge acts as if the sink were unavailable. Cheap to call.
   */
  default boolean acceptsNothing() {
    return false;
  }

  /** Returns the number of messages that are sent separately because their requests failed. */
  default int isolated() {
    return 0;
  }

  /**
   * Gives up the delivery requests that are not accepted yet, so that other bridges can deliver
   * them. A request that was partly accepted, or may have been, is given up like any other. A
   * request that is just being written may stay. Returns after the callbacks.
   */
  void withdraw();

  /**
   * Looks for problems that only the passing of time shows, such as a request without an answer.
   * Called often. Cheap to call.
   */
  default void watch() {}

  /**
   * Returns the number of messages that the sink did not get because it must not hold up others. A
   * required sink misses none.
   */
  default long missed() {
    return 0;
  }

  /** Returns the current routing rules, or null if the sink adds no metadata to messages. */
  default @Nullable Routing routing() {
    return null;
  }

  /**
   * Returns the number of answers by kind since the sink was opened. The kinds are few and never
   * change. The map is empty for a sink that gets no answers.
   */
  default Map<String, LongSupplier> answers() {
    return Map.of();
  }

  /**
   * Returns the number of events that the sink has accepted since it was opened, by sourcetype and
   * host. Empty for a sink whose messages have neither.
   */
  default Map<EventCounts.Source, Long> accepted() {
    return Map.of();
  }

  /**
   * Reopens an output that may have been moved, such as a rotated file.
   *
   * @return the name of the reopened output, for an operator, or null if there is nothing to reopen
   */
  default @Nullable String reopen() {
    return null;
  }

  /**
   * Stops the sink. Requests that are not accepted by then are not reported. Their batches stay
   * unsettled and are redelivered.
   */
  @Override
  void close() throws IOException;
}
