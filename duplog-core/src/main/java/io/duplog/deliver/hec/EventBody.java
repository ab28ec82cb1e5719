package io.duplog.deliver.hec;

import io.duplog.deliver.Parcel;
import io.duplog.deliver.route.Router;
import io.duplog.deliver.route.SyslogHeader;

/**
 * Encodes parcels for {@code /services/collector/event} as the sink's own threads do, without a
 * connection: for those who want to see, or to measure, the encoding alone. Belongs to one thread.
 */
public final class EventBody {
  private final EventEncoder encoder;
  private final Body body;

  /**
   * @param config of which the routing counts, and {@code max-bytes}
   */
  public EventBody(HecSinkConfig config) {
    encoder =
        new EventEncoder(
            new Metadata(
                new SyslogHeader(config.routing().timeZone().id()), new Router(config.routing())),
            config.fallbackIndex());
    body = new Body(config.maxBytes().toIntExact());
  }

  /**
   * Fills it anew with the chosen messages of a parcel. Tells the parcel's outcome nothing.
   *
   * @return its length in bytes
   * @throws IllegalArgumentException where they do not all fit into one request
   */
  public int fill(Parcel parcel) {
    Shipment shipment = new Shipment(parcel, 0, any -> {});
    body.clear();
    for (int i = shipment.next(0); i >= 0; i = shipment.next(i + 1)) {
      if (!encoder.add(shipment, i, body)) {
        throw new IllegalArgumentException("the parcel is longer than a request may be");
      }
    }
    return body.length();
  }
}
