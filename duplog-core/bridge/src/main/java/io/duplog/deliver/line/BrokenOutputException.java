package io.duplog.deliver.line;

import java.io.IOException;

/**
 * Thrown if the file or standard output can never be written again, so that the bridge must end.
 * The message is one line for an administrator.
 */
public final class BrokenOutputException extends IOException {
  public BrokenOutputException(String line, IOException cause) {
    super(line, cause);
  }
}
