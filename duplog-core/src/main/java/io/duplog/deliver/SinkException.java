package io.duplog.deliver;

/** A sink that can't be opened. The message is one line for an administrator. */
public final class SinkException extends Exception {
  public SinkException(String line, Throwable cause) {
    super(line, cause);
  }
}
