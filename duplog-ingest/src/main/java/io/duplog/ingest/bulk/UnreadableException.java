package io.duplog.ingest.bulk;

import java.io.IOException;

/**
 * Thrown for a request from rsyslog that shows a wrong parameter of its action. Its message is a
 * clause for an operator with the cause and the correct parameter.
 */
final class UnreadableException extends IOException {
  UnreadableException(String cause, String remedy) {
    super(cause + ": its action needs " + remedy);
  }
}
