package io.duplog.deliver;

import org.jspecify.annotations.Nullable;

/** Thrown if a sink can't be opened or tested. The message is one line for an administrator. */
public final class SinkException extends Exception {
  public SinkException(String line, @Nullable Throwable cause) {
    super(line, cause);
  }
}
