package io.duplog.observe;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Boards of conditions with a test's clock, and what is wrong on them. */
public final class Boards {
  private Boards() {}

  /** Returns a board whose time of day begins with the epoch. */
  public static Conditions at(LongSupplier nanoClock) {
    return new Conditions(nanoClock, () -> TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong()));
  }

  /** Returns the sentence about a component that needs attention; null if it needs none. */
  public static @Nullable String trouble(Conditions board, String subject) {
    Condition condition = board.condition(subject);
    return condition.isOk() ? null : condition.sentence();
  }
}
