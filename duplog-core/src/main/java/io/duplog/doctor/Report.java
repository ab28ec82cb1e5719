package io.duplog.doctor;

/** Where findings go, one at a time. */
public interface Report {
  void add(Finding finding);

  /** There are no more. */
  void end(Tally tally);
}
