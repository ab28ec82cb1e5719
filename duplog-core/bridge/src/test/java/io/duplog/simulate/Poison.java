package io.duplog.simulate;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** A way in which a simulated collector or proxy fails on requests that contain a certain text. */
enum Poison {
  NONE,
  /** Answers with a firewall's page and status 403. */
  FORBIDDEN,
  /** Resets the connection. */
  RESET,
  /** Answers 503, as a busy server does. */
  BUSY,
  /** Gives no answer in time. */
  SILENT,
  /** Gives an answer that is cut short. */
  CUT,
  /** Answers with a proxy's 407, without a body. */
  BODILESS,
  /** Answers with the collector's own error, which names the event. */
  INVALID;

  private static final List<Poison> REAL = Stream.of(values()).filter(p -> p != NONE).toList();

  static Poison any(Random random) {
    return REAL.get(random.nextInt(REAL.size()));
  }

  /** Returns the text by which a message contains this poison. */
  String mark() {
    return "poison-" + this;
  }

  /** Returns the first poison that a text contains, or {@code NONE}. */
  static Poison in(String text) {
    for (Poison poison : REAL) {
      if (text.contains(poison.mark())) {
        return poison;
      }
    }
    return NONE;
  }
}
