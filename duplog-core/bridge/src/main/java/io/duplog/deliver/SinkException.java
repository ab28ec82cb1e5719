package io.duplog.deliver;

import org.jspecify.annotations.Nullable;

/** Thrown if a sink can't be opened or tested, with a message of one line for the operator. */
public final class SinkException extends Exception {
  public SinkException(String line, @Nullable Throwable cause) {
    super(line, cause);
  }
}
