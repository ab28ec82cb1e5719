package io.duplog.deliver.line;

import java.io.IOException;

/** What was appended since the last mark can't be relied upon, and has to be appended again. */
public final class LinesLostException extends IOException {
  public LinesLostException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
