package io.duplog.deliver.stdout;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.line.LineFormat;

/** A process of its own for {@link StdoutSinkIT}: writes messages until standard output is gone. */
final class StdoutProgram {
  private StdoutProgram() {}

  /**
   * Writes that many messages, says on standard error how many were accepted, and exits 0; or exits
   * 3 with the sink's line.
   */
  public static void main(String[] args) throws Exception {
    int messages = Integer.parseInt(args[0]);
    Sink sink =
        StdoutSink.open(
            LineFormat.MESSAGE,
            line -> {
              System.err.println(line);
              Runtime.getRuntime().halt(3);
            });
    DeliveryRequests deliveries = new DeliveryRequests();
    for (int i = 0; i < messages; i++) {
      sink.deliver(deliveries.ofPlainBody("p", "message " + i));
    }
    while (deliveries.accepted().size() < messages) {
      Thread.onSpinWait();
    }
    sink.close();
    System.err.println("accepted " + deliveries.accepted().size());
  }
}
