package io.duplog.deliver.line;

import java.io.IOException;

/** Thrown if the lines since the last mark may be lost, so that they have to be appended again. */
public final class LinesLostException extends IOException {
  public LinesLostException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
