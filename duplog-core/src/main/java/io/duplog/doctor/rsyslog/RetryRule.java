package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;

/** Whether rsyslog tries for ever. */
final class RetryRule implements ActionRule {
  @Override
  public void judge(ShimAction action, Findings findings) {
    String said = action.text("action.resumeRetryCount");
    if ("-1".equals(said)) {
      findings.ok("action.resumeRetryCount is -1: nothing is given up");
      return;
    }
    findings.problem(
        (said == null
                ? "action.resumeRetryCount is not set, and 0 is rsyslog's default"
                : "action.resumeRetryCount is " + said)
            + action.place(),
        "rsyslog discards messages after "
            + (said == null || said.equals("0") ? "the first" : "the last of so many")
            + " failed transaction, whenever the broker is away",
        "action.resumeRetryCount=\"-1\"");
  }
}
