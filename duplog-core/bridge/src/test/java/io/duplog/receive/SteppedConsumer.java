package io.duplog.receive;

/** Takes the steps of a consumer's thread for tests in other packages. */
public final class SteppedConsumer {
  private SteppedConsumer() {}

  public static void step(QueueConsumer consumer) {
    consumer.runOnce();
  }

  public static void step(DeadLetters deadLetters) {
    deadLetters.runOnce();
  }
}
