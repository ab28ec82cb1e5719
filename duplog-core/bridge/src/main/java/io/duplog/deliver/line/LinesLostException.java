package io.duplog.deliver.line;

import java.io.IOException;

/** Thrown if lines that were already written may be lost and must be written again. */
public final class LinesLostException extends IOException {
  public LinesLostException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
