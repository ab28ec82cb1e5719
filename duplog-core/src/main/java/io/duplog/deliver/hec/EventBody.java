package io.duplog.deliver.hec;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.route.Router;
import io.duplog.deliver.route.SyslogHeader;

/**
 * Encodes delivery requests for {@code /services/collector/event} as the sink's own threads do,
 * without a connection: for those who want to see, or to measure, the encoding alone. Belongs to
 * one thread.
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
   * Fills it anew with the chosen messages of a delivery request. Calls nothing back.
   *
   * @return its length in bytes
   * @throws IllegalArgumentException where they do not all fit into one request
   */
  public int fill(DeliveryRequest delivery) {
    Completion completion = new Completion(delivery, 0, any -> {});
    body.clear();
    for (int i = completion.next(0); i >= 0; i = completion.next(i + 1)) {
      if (!encoder.add(completion, i, body)) {
        throw new IllegalArgumentException("the delivery is longer than a request may be");
      }
    }
    return body.length();
  }
}
