package io.duplog.deliver;

import java.util.ArrayList;
import java.util.List;

/** A sink for tests that holds each message until the test accepts it. */
public class WaitingSink implements Sink {
  public final List<DeliveryRequest> waiting = new ArrayList<>();

  /** Number of messages that it was given. */
  public int given;

  @Override
  public void deliver(DeliveryRequest request) {
    waiting.add(request);
    given += request.chosen().cardinality();
  }

  /** Accepts all that waits. */
  public void accept() {
    take().forEach(request -> request.callback().accepted());
  }

  @Override
  public void withdraw() {
    take().forEach(request -> request.callback().withdrawn());
  }

  private List<DeliveryRequest> take() {
    List<DeliveryRequest> taken = List.copyOf(waiting);
    waiting.clear();
    return taken;
  }

  @Override
  public boolean isAvailable() {
    return true;
  }

  @Override
  public void close() {}
}
