package io.duplog.deliver;

import java.io.IOException;

/**
 * Where the merged stream goes.
 *
 * <p>A sink never loses a parcel and never gives one up: it tries again until the parcel is
 * accepted, and only then runs {@link Parcel#accepted}. It needs no bound of its own, since the
 * bridge holds only as many batches as its prefetch allows.
 */
public interface Sink extends AutoCloseable {

  /** Takes a parcel and returns at once. Any thread may call it. */
  void deliver(Parcel parcel);

  /** Opens again what may have been moved away under it, such as a rotated file. Any thread. */
  default void reopen() {}

  /**
   * Stops. Parcels that were not accepted by then are not reported; their batches stay unsettled
   * and come again.
   */
  @Override
  void close() throws IOException;
}
