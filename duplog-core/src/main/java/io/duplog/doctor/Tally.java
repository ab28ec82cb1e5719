package io.duplog.doctor;

/** How many findings there are of each severity. */
public record Tally(int problems, int warnings, int notChecked, int ok) {
  static final Tally NONE = new Tally(0, 0, 0, 0);

  Tally plus(Severity severity) {
    return switch (severity) {
      case PROBLEM -> new Tally(problems + 1, warnings, notChecked, ok);
      case WARNING -> new Tally(problems, warnings + 1, notChecked, ok);
      case NOT_CHECKED -> new Tally(problems, warnings, notChecked + 1, ok);
      case OK -> new Tally(problems, warnings, notChecked, ok + 1);
    };
  }
}
