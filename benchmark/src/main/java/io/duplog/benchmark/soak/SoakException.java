package io.duplog.benchmark.soak;

/** The comparison can't be made. The message names what, and the cause. */
final class SoakException extends Exception {
  private static final long serialVersionUID = 1;

  SoakException(String message) {
    super(message);
  }

  SoakException(String message, Throwable cause) {
    super(message, cause);
  }
}
