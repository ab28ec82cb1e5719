package io.duplog.receive;

/** Steps a consumer for tests of other packages. */
public final class SteppedConsumer {
  private SteppedConsumer() {}

  public static void step(QueueConsumer consumer) {
    consumer.runOnce();
  }
}
