package io.duplog.deliver.hec.event;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.route.EventHost;
import io.duplog.deliver.route.Route;
import io.duplog.deliver.route.Router;
import io.duplog.deliver.route.SyslogHeader;
import io.duplog.wire.MessageBatch;

/**
 * What goes with a message beside its text: its time, its host, its route. Reused from one message
 * to the next; belongs to one thread.
 */
public final class Metadata {
  private final SyslogHeader header;
  private final Router router;
  private final EventHost host = new EventHost();
  private Route route;

  public Metadata(SyslogHeader header, Router router) {
    this.header = header;
    this.router = router;
    this.route = router.route(new byte[0], 0, 0, 0, header);
  }

  /** Reads those of a message; forgets the one before. */
  void read(DeliveryRequest delivery, int message) {
    MessageBatch batch = delivery.batch();
    byte[] data = batch.data();
    int start = batch.start(message);
    int textStart = batch.textStart(message);
    int end = batch.end(message);
    header.parse(data, textStart, end, delivery.receivedMillis());
    route = router.route(data, start, textStart, end, header);
    host.choose(route, header, start, textStart);
  }

  /** When it happened, in milliseconds since the epoch. */
  long timeMillis() {
    return header.timeMillis();
  }

  /** Begin of the message's own host in the batch's data. */
  int hostStart() {
    return host.start();
  }

  /** Its end; equal to the begin where nobody knows it, or the route names another. */
  int hostEnd() {
    return host.name() == null ? host.end() : host.start();
  }

  /** The same object for the same rule. */
  Route route() {
    return route;
  }
}
