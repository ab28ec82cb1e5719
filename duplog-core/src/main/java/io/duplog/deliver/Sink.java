package io.duplog.deliver;

import io.duplog.deliver.route.Routing;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the merged stream goes.
 *
 * <p>A sink never loses a request and never gives one up unasked: it tries again until the request
 * is accepted, and only then tells its {@link DeliveryRequest.Callback}. It needs no bound of its
 * own, since the bridge holds only as many batches as its prefetch allows.
 */
public interface Sink extends AutoCloseable {

  /** Takes a delivery request and returns at once. Any thread may call it. */
  void deliver(DeliveryRequest delivery);

  /**
   * Whether it accepts delivery requests at present, as far as it knows. While it does not, the
   * bridge takes no more deliveries. Any thread; cheap.
   */
  boolean isAvailable();

  /**
   * Whether it seems available, and has all the same accepted none of several different requests
   * that it tried last. The bridge goes on taking, since one of the next may pass; where that lasts
   * for the hold limit, it does what it does for a sink that is away. Any thread; cheap.
   */
  default boolean acceptsNothing() {
    return false;
  }

  /** How many messages it tries apart, since they failed where others may not. Any thread. */
  default int isolated() {
    return 0;
  }

  /**
   * Gives up the delivery requests that are not accepted, so that others can deliver them. A
   * delivery request of which a part was accepted, or may have been, is given up like any other;
   * one that is just being written may stay. Any thread; returns when the outcomes were told.
   */
  void withdraw();

  /** What is wrong with it, in a line for an operator; null where nothing is known. Any thread. */
  default @Nullable String trouble() {
    return null;
  }

  /** Its routing as it is in force; null where messages get no metadata. Any thread. */
  default @Nullable Routing routing() {
    return null;
  }

  /**
   * How many answers of each kind it has had since it was opened. The kinds are few and never
   * change; a sink that gets no answers has none. Any thread.
   */
  default Map<String, LongSupplier> answers() {
    return Map.of();
  }

  /**
   * Opens again what may have been moved away under it, such as a rotated file. Any thread.
   *
   * @return what is opened again, for an operator; null where there is nothing of the kind
   */
  default @Nullable String reopen() {
    return null;
  }

  /**
   * Stops. What was not accepted by then is not reported; its batches stay unsettled and come
   * again.
   */
  @Override
  void close() throws IOException;
}
