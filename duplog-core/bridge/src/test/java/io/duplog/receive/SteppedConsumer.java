package io.duplog.receive;

/** Takes steps of this package's threads for tests of others. */
public final class SteppedConsumer {
  private SteppedConsumer() {}

  public static void step(QueueConsumer consumer) {
    consumer.runOnce();
  }

  public static void step(DeadLetters deadLetters) {
    deadLetters.runOnce();
  }
}
