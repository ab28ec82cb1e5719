package io.duplog.wire;

/**
 * Thrown if an intact batch has a newer version than the reader knows. A newer bridge can read it,
 * so a bridge gives it back.
 */
public final class NewerBatchException extends MalformedBatchException {
  NewerBatchException(int version, int newestVersion) {
    super("batch of version " + version + ", the newest known is " + newestVersion);
  }
}
