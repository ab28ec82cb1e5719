package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;

/** Whether rsyslog is patient enough for the shim's signs of life. */
final class KeepAliveRule implements ActionRule {
  private static final long CONFIRM_TIMEOUT_MILLIS = 10_000;

  /** How many signs of life should fit into the time, so that one may be late. */
  private static final int SIGNS = 3;

  @Override
  public void judge(ShimAction action, Findings findings) {
    ShimSettings shim = action.shim();
    if (shim == null || !action.on("confirmMessages")) {
      return;
    }
    long timeout = action.number("confirmTimeout", CONFIRM_TIMEOUT_MILLIS);
    long keepAlive = shim.omprog().keepAlive().toMillis();
    if (timeout >= SIGNS * keepAlive) {
      findings.ok("confirmTimeout (%d ms) leaves time for keep-alives".formatted(timeout));
      return;
    }
    findings.problem(
        "confirmTimeout is %d ms, and the shim shows that it lives every %d ms only%s"
            .formatted(timeout, keepAlive, action.place()),
        "rsyslog kills the shim while it waits for a slow broker, and sends the batch again as a new"
            + " one: duplicates",
        "confirmTimeout=\"10000\", or a shorter omprog.keep-alive in the shim's file");
  }
}
