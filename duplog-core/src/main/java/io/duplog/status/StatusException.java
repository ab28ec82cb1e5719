package io.duplog.status;

import org.jspecify.annotations.Nullable;

/** The status page can't be opened, or can't be read. The message is one line for an operator. */
public final class StatusException extends Exception {
  public StatusException(String line, @Nullable Throwable cause) {
    super(line, cause);
  }
}
