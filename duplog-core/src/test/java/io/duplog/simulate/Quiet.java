package io.duplog.simulate;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Keeps bridges from logging thousands of failures. */
final class Quiet implements BeforeAllCallback, AfterAllCallback {
  private final Logger log = (Logger) LoggerFactory.getLogger("io.duplog");

  @Override
  public void beforeAll(ExtensionContext test) {
    log.setLevel(Level.OFF);
  }

  @Override
  public void afterAll(ExtensionContext test) {
    log.setLevel(Level.INFO);
  }
}
