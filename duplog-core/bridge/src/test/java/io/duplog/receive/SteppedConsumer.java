package io.duplog.receive;

/**
 * Runs a consumer of a RabbitMQ queue without its thread, for tests of other packages that take
 * each step themselves.
 */
public final class SteppedConsumer {
  private SteppedConsumer() {}

  public static void step(QueueConsumer consumer) {
    consumer.runOnce();
  }

  public static void step(DeadLetters deadLetters) {
    deadLetters.runOnce();
  }
}
