package io.duplog.wire;

/**
 * Thrown if a body is truncated, forged, too large or in an unknown format. Its message is the
 * reason that the dead letter shows, and never contains the body's content.
 */
public final class MalformedBatchException extends Exception {
  public MalformedBatchException(String reason) {
    super(reason);
  }
}
