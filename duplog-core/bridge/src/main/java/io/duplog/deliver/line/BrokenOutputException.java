package io.duplog.deliver.line;

import java.io.IOException;

/** Thrown if an output will never work again. The message is one line for an administrator. */
public final class BrokenOutputException extends IOException {
  public BrokenOutputException(String line, IOException cause) {
    super(line, cause);
  }
}
