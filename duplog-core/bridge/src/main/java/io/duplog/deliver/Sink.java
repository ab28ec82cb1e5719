package io.duplog.deliver;

import io.duplog.deliver.route.Routing;
import io.duplog.observe.EventCounts;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The destination of the merged stream.
 *
 * <p>A sink never loses a delivery request and never gives one up unasked. It tries again until all
 * of the request is accepted, and only then calls its {@link DeliveryRequest.Callback}. It needs no
 * bound of its own, because the bridge holds only as many batches as its prefetch allows. All
 * methods except {@link #close} may be called from any thread.
 */
public interface Sink extends AutoCloseable {

  /** Accepts a delivery request for sending later; returns at once. */
  void deliver(DeliveryRequest delivery);

  /**
   * Whether the sink currently accepts delivery requests, as far as is known. If not, the bridge
   * stops consuming deliveries. Cheap to call.
   */
  boolean isAvailable();

  /**
   * Whether the sink seems available, but has accepted none of several different requests that it
   * tried last. The bridge goes on taking deliveries, because one of the next requests may pass. If
   * this lasts for the hold limit, the bridge acts as for a sink that is away. Cheap to call.
   */
  default boolean acceptsNothing() {
    return false;
  }

  /**
   * Returns the number of messages that are sent apart from others because their requests failed.
   */
  default int isolated() {
    return 0;
  }

  /**
   * Gives up the delivery requests that are not accepted yet, so that other bridges can deliver
   * them. A request of which a part was accepted, or may have been, is given up like any other; one
   * that is just being written may stay. Returns after the callbacks were called.
   */
  void withdraw();

  /** Returns one line for an operator about what is wrong; null if the sink knows of no trouble. */
  default @Nullable String trouble() {
    return null;
  }

  /** Returns the current routing rules; null if the sink gives its messages no metadata. */
  default @Nullable Routing routing() {
    return null;
  }

  /**
   * Returns how many answers of each kind the sink has had since it was opened. The kinds are few
   * and never change; the map is empty for a sink that gets no answers.
   */
  default Map<String, LongSupplier> answers() {
    return Map.of();
  }

  /**
   * Returns how many events the sink has accepted since it was opened, by sourcetype and host;
   * empty for a sink whose messages have neither.
   */
  default Map<EventCounts.Source, Long> accepted() {
    return Map.of();
  }

  /**
   * Opens again what may have been moved away, such as a rotated file.
   *
   * @return what is opened again, for an operator; null if there is nothing to open again
   */
  default @Nullable String reopen() {
    return null;
  }

  /**
   * Stops the sink. What was not accepted by then is not reported; its batches stay unsettled and
   * are delivered again.
   */
  @Override
  void close() throws IOException;
}
