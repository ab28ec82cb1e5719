package io.duplog.benchmark.plan;

import java.util.Locale;

/** What the processor time of a process is made of. */
enum Term {
  COPY,
  COPY_BYTE,
  MESSAGE,
  MESSAGE_BYTE,
  /** A copy that stays in Redis for a window; in addition to what every copy costs. */
  UNMATCHED;

  /** How often a message has it. */
  double of(Traffic traffic) {
    return switch (this) {
      case COPY -> traffic.copies();
      case COPY_BYTE -> traffic.copies() * traffic.bytes();
      case MESSAGE -> 1;
      case MESSAGE_BYTE -> traffic.bytes();
      case UNMATCHED -> traffic.unmatched();
    };
  }

  /** As it is called in a file. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
