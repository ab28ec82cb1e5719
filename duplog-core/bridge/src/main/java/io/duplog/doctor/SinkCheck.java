package io.duplog.doctor;

import io.duplog.deliver.SinkException;

/**
 * Checks a sink of which only the opening can be tried.
 *
 * @param subject such as {@code sink file /var/log/merged.log}
 */
public record SinkCheck(String subject, Trial trial) implements Check {
  /** Trial that opens the sink, and leaves no trace. */
  public interface Trial {
    void run() throws SinkException;
  }

  @Override
  public void examine(Findings findings) {
    try {
      trial.run();
      findings.ok("it can be opened by this user");
    } catch (SinkException e) {
      findings.problem(
          String.valueOf(e.getMessage()),
          "the bridge does not start, and messages wait in the brokers",
          "rights and space for the user that runs the bridge; run doctor as that user too");
    }
  }
}
