package io.duplog.ingest.publish;

import java.time.Duration;

/** Accepts messages by HTTP, and answers when RabbitMQ has confirmed them. Thread-safe. */
public interface Listener {

  /** Whether no request has taken longer than it may. */
  boolean isAlive();

  /** Returns the maximum duration of {@link #stop}. */
  Duration maxStopTime();

  /** Stops after the answers to the current requests. */
  void stop() throws InterruptedException;
}
