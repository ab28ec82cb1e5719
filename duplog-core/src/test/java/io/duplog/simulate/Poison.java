package io.duplog.simulate;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** How a collector, or something before it, treats a request with a text that it does not like. */
enum Poison {
  NONE,
  /** A firewall's page. */
  FORBIDDEN,
  /** The connection is reset. */
  RESET,
  /** 503, as from a busy server. */
  BUSY,
  /** No answer. */
  SILENT,
  /** An answer that is cut short. */
  CUT,
  /** A proxy's 407, without any body. */
  BODILESS,
  /** The collector's own complaint, which names the event. */
  INVALID;

  private static final List<Poison> REAL = Stream.of(values()).filter(p -> p != NONE).toList();

  static Poison any(Random random) {
    return REAL.get(random.nextInt(REAL.size()));
  }

  /** As it stands in a message. */
  String mark() {
    return "poison-" + this;
  }

  /** The first that is in a text. */
  static Poison in(String text) {
    for (Poison poison : REAL) {
      if (text.contains(poison.mark())) {
        return poison;
      }
    }
    return NONE;
  }
}
