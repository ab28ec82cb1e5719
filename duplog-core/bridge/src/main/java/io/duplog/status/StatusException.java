package io.duplog.status;

import org.jspecify.annotations.Nullable;

/** Thrown if the status page can't be opened or read, with a message for the operator. */
public final class StatusException extends Exception {
  public StatusException(String line, @Nullable Throwable cause) {
    super(line, cause);
  }
}
