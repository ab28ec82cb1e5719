package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;

/** Whether anybody can read what the shim says. */
final class OutputRule implements ActionRule {
  @Override
  public void judge(ShimAction action, Findings findings) {
    String output = action.text("output");
    if (output == null || output.isEmpty()) {
      findings.warning(
          "output is not set" + action.place(),
          "rsyslog throws away what the shim logs: nobody learns why it can't publish",
          "output=\"/var/log/duplog-ingest.log\"");
    } else {
      findings.ok("the shim's log goes to " + output);
    }
  }
}
