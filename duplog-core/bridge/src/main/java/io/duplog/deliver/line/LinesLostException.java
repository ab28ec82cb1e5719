package io.duplog.deliver.line;

import java.io.IOException;

/** Thrown if lines appended since the last mark may be lost and must be appended again. */
public final class LinesLostException extends IOException {
  public LinesLostException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
