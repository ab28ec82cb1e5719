package io.duplog.doctor.rsyslog;

import static java.util.Locale.ROOT;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;
import org.jspecify.annotations.Nullable;

/** Whether rsyslog and the shim speak the same dialect of omprog. */
final class ModeRule implements ActionRule {
  private static final String REMEDY =
      "useTransactions=\"on\" confirmMessages=\"on\" here, and omprog.mode: confirm in the shim's"
          + " file";

  @Override
  public void judge(ShimAction action, Findings findings) {
    ShimSettings.@Nullable Mode mode = action.mode();
    if (mode == null) {
      findings.problem(
          "confirmMessages is on without useTransactions" + action.place(),
          "the shim has no such mode: it takes each line for a message and answers nothing, so that"
              + " rsyslog waits, kills it, and starts it again",
          REMEDY);
      return;
    }
    ShimSettings shim = action.shim();
    if (shim == null) {
      findings.notChecked(
          "the action is set up for the shim's mode "
              + word(mode)
              + "; what the shim has is not"
              + " known, since its file was not read",
          "give --ingest-config, or compare omprog.mode");
    } else if (shim.omprog().mode() != mode) {
      findings.problem(
          "the action is set up for the shim's mode %s, and the shim has omprog.mode %s%s"
              .formatted(word(mode), word(shim.omprog().mode()), action.place()),
          shim.omprog().mode() == ShimSettings.Mode.CONFIRM
              ? "the shim answers, and rsyslog never reads the answers: it blocks when the pipe is"
                  + " full, and nothing is confirmed until then"
              : "rsyslog waits for answers that never come or takes marks for messages",
          REMEDY);
      return;
    }
    if (mode == ShimSettings.Mode.CONFIRM) {
      findings.ok("useTransactions and confirmMessages are on, as the shim's mode confirm needs");
      if (!action.killsUnresponsive()) {
        findings.warning(
            "killUnresponsive is off" + action.place(),
            "a shim that hangs is left beside its successor, and each that hangs after it as well",
            "killUnresponsive=\"on\"");
      }
    } else {
      if (action.killsUnresponsive()) {
        findings.warning(
            "killUnresponsive is on, and rsyslog does not wait for the shim's confirmation"
                + action.place(),
            "a shim that takes longer than closeTimeout to publish what it has is killed over it",
            "killUnresponsive=\"off\", or confirmation");
      }
      findings.warning(
          "rsyslog does not wait for the shim's confirmation (mode "
              + word(mode)
              + ")"
              + action.place(),
          "what the broker has not confirmed when the shim ends is lost on this node, unless the"
              + " other node has it",
          REMEDY);
    }
  }

  private static String word(ShimSettings.Mode mode) {
    return mode.name().toLowerCase(ROOT);
  }
}
