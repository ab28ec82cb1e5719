package io.duplog.doctor;

import java.util.ArrayList;
import java.util.List;

/** Collects what one check finds, in order. For one thread. */
public final class Findings {
  private final String subject;
  private final String where;
  private final List<Finding> list;

  /**
   * Makes an empty list.
   *
   * @param subject of every finding
   */
  public Findings(String subject) {
    this(subject, "", new ArrayList<>());
  }

  private Findings(String subject, String where, List<Finding> list) {
    this.subject = subject;
    this.where = where;
    this.list = list;
  }

  /** Returns a view that adds to this list, and begins each finding with a server's name. */
  Findings at(String name) {
    return new Findings(subject, name + ": ", list);
  }

  /** Adds something that costs messages or deliveries, now or after the next ordinary fault. */
  public void problem(String what, String consequence, String remedy) {
    add(Severity.PROBLEM, what, consequence, remedy);
  }

  /** Adds something that could be better. */
  public void warning(String what, String consequence, String remedy) {
    add(Severity.WARNING, what, consequence, remedy);
  }

  /** Adds something that is as it should be. */
  public void ok(String what) {
    add(Severity.OK, what, "", "");
  }

  /**
   * Adds something that can't be known from here.
   *
   * @param what what is not known, and why
   * @param remedy how to have it checked, or how to check it by hand
   */
  public void notChecked(String what, String remedy) {
    add(Severity.NOT_CHECKED, what, "", remedy);
  }

  private void add(Severity severity, String what, String consequence, String remedy) {
    list.add(new Finding(severity, subject, where + what, consequence, remedy));
  }

  /** Returns all findings so far. */
  public List<Finding> list() {
    return List.copyOf(list);
  }
}
