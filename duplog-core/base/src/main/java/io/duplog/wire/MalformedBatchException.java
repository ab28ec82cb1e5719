package io.duplog.wire;

/**
 * Thrown if a body can't be trusted because it is torn, hostile, oversized or in an unknown format.
 * The message is the reason that the dead-letter queue shows; it never contains the body's content.
 */
public final class MalformedBatchException extends Exception {
  public MalformedBatchException(String reason) {
    super(reason);
  }
}
