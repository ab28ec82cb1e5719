package io.duplog.status;

import org.jspecify.annotations.Nullable;

/** Failure to open or to read the status page. The message is one line for an operator. */
public final class StatusException extends Exception {
  public StatusException(String line, @Nullable Throwable cause) {
    super(line, cause);
  }
}
