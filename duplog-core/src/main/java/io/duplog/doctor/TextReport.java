package io.duplog.doctor;

import java.io.PrintWriter;

/** For a terminal: grouped by subject, a line or a few for each finding, nothing but text. */
public final class TextReport implements Report {
  private static final int WIDTH = 100;
  private static final String INDENT = " ".repeat(15);

  private final PrintWriter out;
  private String subject = "";

  public TextReport(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void add(Finding finding) {
    if (!finding.subject().equals(subject)) {
      out.println((subject.isEmpty() ? "" : "\n") + printable(finding.subject()));
      subject = finding.subject();
    }
    print("  %-11s  ".formatted(label(finding.severity())), finding.what());
    if (!finding.consequence().isEmpty()) {
      print(INDENT, "causes: " + finding.consequence());
    }
    if (!finding.remedy().isEmpty()) {
      boolean unknown = finding.severity() == Severity.NOT_CHECKED;
      print(INDENT, (unknown ? "to check: " : "change: ") + finding.remedy());
    }
    out.flush();
  }

  private static String label(Severity severity) {
    return switch (severity) {
      case PROBLEM -> "PROBLEM";
      case WARNING -> "WARNING";
      case NOT_CHECKED -> "not checked";
      case OK -> "ok";
    };
  }

  /** Breaks at spaces; a word that is too long stays whole, so that it can be copied. */
  private void print(String start, String text) {
    StringBuilder line = new StringBuilder(start);
    for (String word : printable(text).split(" ", -1)) {
      if (line.length() > INDENT.length() && line.length() + 1 + word.length() > WIDTH) {
        out.println(line);
        line = new StringBuilder(INDENT);
      }
      line.append(line.length() > INDENT.length() ? " " : "").append(word);
    }
    out.println(line);
  }

  /** What servers and files say may hold what a terminal would obey. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  @Override
  public void end(Tally tally) {
    out.printf(
        "%ndoctor: problems=%d warnings=%d not-checked=%d ok=%d%n",
        tally.problems(), tally.warnings(), tally.notChecked(), tally.ok());
    out.flush();
  }
}
