package io.duplog.deliver;

import org.jspecify.annotations.Nullable;

/** A sink that can't be opened. The message is one line for an administrator. */
public final class SinkException extends Exception {
  public SinkException(String line, @Nullable Throwable cause) {
    super(line, cause);
  }
}
