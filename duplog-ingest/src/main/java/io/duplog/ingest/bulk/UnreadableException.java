package io.duplog.ingest.bulk;

import java.io.IOException;

/**
 * Thrown for a complete request whose form shows that rsyslog's action is configured incorrectly.
 * Its message is a clause for an operator with the cause and the correct parameter.
 */
final class UnreadableException extends IOException {
  UnreadableException(String cause, String remedy) {
    super(cause + ": its action needs " + remedy);
  }
}
