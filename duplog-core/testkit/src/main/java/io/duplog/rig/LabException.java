package io.duplog.rig;

/**
 * Thrown if a server that a test or a lab has started can't continue. The message names the server,
 * the cause, and the end of the server's log.
 */
public final class LabException extends Exception {
  private static final long serialVersionUID = 1;

  public LabException(String message) {
    super(message);
  }

  public LabException(String message, Throwable cause) {
    super(message, cause);
  }
}
