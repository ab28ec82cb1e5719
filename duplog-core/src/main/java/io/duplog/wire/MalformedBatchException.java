package io.duplog.wire;

/**
 * A body that can't be trusted: torn, hostile, oversized or in a format that we don't know. The
 * message is the reason that the dead-letter queue shows; it never contains the body's content.
 */
public final class MalformedBatchException extends Exception {
  public MalformedBatchException(String reason) {
    super(reason);
  }
}
