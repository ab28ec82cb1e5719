package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;

/** Whether both sides know a transaction's end by the same line. */
final class MarksRule implements ActionRule {
  private static final String BEGIN = "BEGIN TRANSACTION";
  private static final String COMMIT = "COMMIT TRANSACTION";

  @Override
  public void judge(ShimAction action, Findings findings) {
    ShimSettings shim = action.shim();
    if (shim == null || !action.on("useTransactions")) {
      return; // without marks, or ModeRule has said that the shim's file is missing
    }
    String begin = action.text("beginTransactionMark", BEGIN);
    String commit = action.text("commitTransactionMark", COMMIT);
    if (begin.equals(shim.omprog().beginMark()) && commit.equals(shim.omprog().commitMark())) {
      findings.ok("the transactions' marks are those that the shim has");
      return;
    }
    findings.problem(
        "the marks are '%s' and '%s' here, '%s' and '%s' in the shim's file%s"
            .formatted(
                begin,
                commit,
                shim.omprog().beginMark(),
                shim.omprog().commitMark(),
                action.place()),
        "the shim takes the marks for messages and never confirms a transaction: nothing of this"
            + " node is delivered",
        "beginTransactionMark and commitTransactionMark here equal to omprog.begin-mark and"
            + " omprog.commit-mark there");
  }
}
