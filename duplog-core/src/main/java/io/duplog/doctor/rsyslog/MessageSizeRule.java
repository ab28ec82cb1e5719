package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;

/** Who cuts long messages, and whether both nodes do it alike. */
final class MessageSizeRule implements ActionRule {
  private static final long DEFAULT = 8 << 10;

  /** The longest address, a scope among it, and a space. */
  private static final int SENDER_BYTES = 48;

  @Override
  public void judge(ShimAction action, Findings findings) {
    Statement global = action.config().global("maxMessageSize");
    String said = global == null ? null : global.get("maxMessageSize");
    long size = ShimAction.bytes(said, DEFAULT);
    ShimSettings shim = action.shim();
    if (shim != null && shim.omprog().maxMessage().bytes() < size + SENDER_BYTES) {
      findings.problem(
          "maxMessageSize is %d bytes, and the shim cuts lines at %s%s"
              .formatted(
                  size,
                  shim.omprog().maxMessage(),
                  global == null ? "" : " (" + global.place() + ")"),
          "long messages lose their ends",
          "omprog.max-message of at least maxMessageSize and " + SENDER_BYTES + " bytes");
    } else if (said == null) {
      findings.warning(
          "maxMessageSize is not set, and 8 KiB is rsyslog's default",
          "longer messages are cut or split; where the other node has another value, their copies"
              + " differ and are delivered twice",
          "global(maxMessageSize=\"64k\") before all modules, the same on every node");
    } else {
      findings.ok("maxMessageSize is " + said + "; it has to be the same on every node");
    }
  }
}
