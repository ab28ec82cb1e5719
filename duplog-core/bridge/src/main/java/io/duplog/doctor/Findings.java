package io.duplog.doctor;

import java.util.ArrayList;
import java.util.List;

/** Collects the results of one of the doctor's checks, in order. Not thread-safe. */
public final class Findings {
  private final String subject;
  private final String serverPrefix;
  private final List<Finding> list;

  /**
   * Creates an empty list.
   *
   * @param subject the subject of every finding
   */
  public Findings(String subject) {
    this(subject, "", new ArrayList<>());
  }

  private Findings(String subject, String serverPrefix, List<Finding> list) {
    this.subject = subject;
    this.serverPrefix = serverPrefix;
    this.list = list;
  }

  /** Returns a view of this list. Findings added through the view begin with the server's name. */
  Findings at(String name) {
    return new Findings(subject, name + ": ", list);
  }

  /** Adds a finding about lost, duplicated or delayed messages, now or after the next fault. */
  public void problem(String what, String consequence, String remedy) {
    add(Severity.PROBLEM, what, consequence, remedy);
  }

  /** Adds a finding about something that works but could be better. */
  public void warning(String what, String consequence, String remedy) {
    add(Severity.WARNING, what, consequence, remedy);
  }

  /** Adds a finding about something that is as it should be. */
  public void ok(String what) {
    add(Severity.OK, what, "", "");
  }

  /**
   * Adds a state that can't be determined from here.
   *
   * @param what what is unknown, and why
   * @param remedy how to make the check possible, or how to check it manually
   */
  public void notChecked(String what, String remedy) {
    add(Severity.NOT_CHECKED, what, "", remedy);
  }

  private void add(Severity severity, String what, String consequence, String remedy) {
    list.add(new Finding(severity, subject, serverPrefix + what, consequence, remedy));
  }

  /** Returns a copy of all findings so far. */
  public List<Finding> list() {
    return List.copyOf(list);
  }
}
