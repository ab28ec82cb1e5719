package io.duplog.status;

import org.jspecify.annotations.Nullable;

/** Thrown if the status page can't be opened or read; the message is one line for an operator. */
public final class StatusException extends Exception {
  public StatusException(String line, @Nullable Throwable cause) {
    super(line, cause);
  }
}
