package io.duplog.doctor;

import io.duplog.deliver.SinkException;

/** A sink of which nothing but its opening can be tried. */
public final class SinkCheck implements Check {
  /** Tries it, and leaves no trace. */
  public interface Trial {
    void run() throws SinkException;
  }

  private final String name;
  private final Trial trial;

  /**
   * @param name such as {@code sink file /var/log/merged.log}
   */
  public SinkCheck(String name, Trial trial) {
    this.name = name;
    this.trial = trial;
  }

  @Override
  public String subject() {
    return name;
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
