package io.duplog.status;

/** The status page can't be opened, or can't be read. The message is one line for an operator. */
public final class StatusException extends Exception {
  public StatusException(String line, Throwable cause) {
    super(line, cause);
  }
}
