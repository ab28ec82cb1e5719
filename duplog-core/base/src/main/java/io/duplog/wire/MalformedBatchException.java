package io.duplog.wire;

/**
 * Thrown if the body of an AMQP message is not a valid batch; the body then becomes a dead letter.
 * Its message is the reason that the dead letter shows, and never contains the body's content.
 */
public sealed class MalformedBatchException extends Exception permits NewerBatchException {
  public MalformedBatchException(String reason) {
    super(reason);
  }
}
