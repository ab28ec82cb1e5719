package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;

/** Two workers of one queue must not share a shim that counts lines. */
final class SingleInstanceRule implements ActionRule {
  @Override
  public void judge(ShimAction action, Findings findings) {
    boolean single = action.on("forceSingleInstance");
    if (single && action.hasQueueOnDisk() && action.mode() == ShimSettings.Mode.CONFIRM) {
      findings.problem(
          "forceSingleInstance is on, with a queue on disk" + action.place(),
          "the queue's two workers mix their transactions in one shim: messages are lost when the"
              + " broker has been away (1,121 of 60,000 with rsyslog 8.2302)",
          "leave forceSingleInstance out");
    }
  }
}
