package io.duplog.ingest.bulk;

import java.io.IOException;

/**
 * A request that came whole, and whose form shows that rsyslog's action is set up for something
 * else. Its message is a clause for an operator: the cause, and the action's right parameter.
 */
final class UnreadableException extends IOException {
  UnreadableException(String cause, String remedy) {
    super(cause + ": its action needs " + remedy);
  }
}
