package io.duplog.observe;

import java.util.Locale;

/**
 * The urgency of a component's state, from OK to down. The values are ordered from good to bad. The
 * table of levels in docs/operations.md says what each one means for exit statuses, alerts and the
 * log.
 */
public enum Level {
  /** Nothing to do. */
  OK(0, 0),
  /**
   * Everything works, but an administrator should look, for example at a path that misses copies.
   */
  ATTENTION(1, 1),
  /** A redundant component does not work. The bridge delivers without it. */
  DEGRADED(2, 1),
  /** The bridge can't deliver. */
  DOWN(3, 2);

  private final int number;
  private final int exitStatus;

  Level(int number, int exitStatus) {
    this.number = number;
    this.exitStatus = exitStatus;
  }

  /** Returns the level as a number for metrics, from 0 for {@link #OK} to 3. */
  public int number() {
    return number;
  }

  /** Returns the level's name in the state document, such as {@code attention}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the level that a state document names, with either of its words; DOWN if the word is
   * unknown, so that a document of another version never passes for a good one.
   */
  public static Level named(String word) {
    for (Level level : values()) {
      if (level.word().equals(word) || level.state().equals(word)) {
        return level;
      }
    }
    return DOWN;
  }

  /**
   * Returns the level as the member {@code state} of the state document has it, which knows three
   * levels only: {@code well}, {@code degraded} or {@code not-ready}.
   */
  public String state() {
    return switch (this) {
      case OK, ATTENTION -> "well";
      case DEGRADED -> "degraded";
      case DOWN -> "not-ready";
    };
  }

  /** Returns the exit status of a command that reports this level: 0, 1 or 2. */
  public int exitStatus() {
    return exitStatus;
  }
}
