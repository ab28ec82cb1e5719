package io.duplog.doctor;

/**
 * Checks something by doing it for a moment.
 *
 * @param subject such as {@code sink file /var/log/merged.log}
 * @param success what is told if the trial succeeds
 * @param consequence of a trial that fails
 * @param remedy for a trial that fails
 */
public record TrialCheck(
    String subject, Trial trial, String success, String consequence, String remedy)
    implements Check {
  /** Trial that leaves no trace; the message of what it throws is one line for an operator. */
  public interface Trial {
    void run() throws Exception;
  }

  @Override
  public void examine(Findings findings) {
    try {
      trial.run();
      findings.ok(success);
    } catch (RuntimeException e) {
      throw e; // a defect, which the doctor reports
    } catch (Exception e) {
      findings.problem(String.valueOf(e.getMessage()), consequence, remedy);
    }
  }
}
