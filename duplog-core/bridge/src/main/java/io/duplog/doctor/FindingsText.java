package io.duplog.doctor;

import io.duplog.observe.Printable;
import java.io.PrintWriter;
import java.util.List;

/** Prints the doctor's findings for a terminal, grouped by subject. */
public final class FindingsText {
  private static final int WIDTH = 100;
  private static final String INDENT = " ".repeat(15);

  private final PrintWriter out;
  private String subject = "";

  public FindingsText(PrintWriter out) {
    this.out = out;
  }

  /** Prints a finding. First prints its subject if the subject has changed. */
  public void print(Finding finding) {
    if (!finding.subject().equals(subject)) {
      out.println((subject.isEmpty() ? "" : "\n") + Printable.of(finding.subject()));
      subject = finding.subject();
    }
    Severity severity = finding.severity();
    print("  %-11s  ".formatted(label(severity)), finding.what());
    if (!finding.consequence().isEmpty()) {
      print(INDENT, "causes: " + finding.consequence());
    }
    if (!finding.remedy().isEmpty()) {
      boolean unknown = severity == Severity.NOT_CHECKED;
      print(INDENT, (unknown ? "to check: " : "change: ") + finding.remedy());
    }
  }

  private static String label(Severity severity) {
    boolean bad = severity == Severity.PROBLEM || severity == Severity.WARNING;
    return bad ? severity.name() : severity.word();
  }

  /**
   * Prints text with line breaks at spaces. A word that is too long stays whole, so that it can be
   * copied.
   */
  private void print(String start, String text) {
    StringBuilder line = new StringBuilder(start);
    for (String word : Printable.of(text).split(" ", -1)) {
      if (line.length() > INDENT.length() && line.length() + 1 + word.length() > WIDTH) {
        out.println(line);
        line = new StringBuilder(INDENT);
      }
      line.append(line.length() > INDENT.length() ? " " : "").append(word);
    }
    out.println(line);
  }

  /**
   * Prints the number of findings of each severity.
   *
   * @param command name of the command that ran the checks
   */
  public void end(String command, List<Finding> all) {
    out.printf(
        "%n%s: problems=%d warnings=%d not-checked=%d ok=%d%n",
        command,
        Severity.PROBLEM.count(all),
        Severity.WARNING.count(all),
        Severity.NOT_CHECKED.count(all),
        Severity.OK.count(all));
  }
}
