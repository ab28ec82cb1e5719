package io.duplog.doctor;

/**
 * A check of the doctor that tries something once, such as opening the sink's file, and reports
 * whether it worked.
 *
 * @param subject the checked subject, such as {@code sink file /var/log/merged.log}
 * @param success the finding if the trial succeeds
 * @param consequence the consequence of a failed trial
 * @param remedy the remedy for a failed trial
 */
public record TrialCheck(
    String subject, Trial trial, String success, String consequence, String remedy)
    implements Check {
  /** A trial that leaves no trace. The message of its exception is one line for an operator. */
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
