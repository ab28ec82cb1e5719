package io.duplog.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every test wait for five minutes in place of Awaitility's ten seconds, because a busy
 * machine may need them. Only a test that fails waits so long.
 */
public final class Patience implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(5));
  }
}
