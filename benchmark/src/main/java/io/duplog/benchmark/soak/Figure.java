package io.duplog.benchmark.soak;

/**
 * What is compared: one number of a run.
 *
 * @param variant of the scenario; empty where it has one only
 * @param name such as {@code rate}
 * @param unit of the samples
 * @param better which direction is an improvement
 */
record Figure(String variant, String name, String unit, Better better) {

  /** Which direction is an improvement. */
  enum Better {
    MORE,
    LESS
  }

  static Figure rate(String variant) {
    return new Figure(variant, "rate", "messages/s", Better.MORE);
  }

  /**
   * @param process whose; {@code total} for all of them
   */
  static Figure cpu(String variant, String process) {
    return new Figure(variant, "cpu " + process, "µs/message", Better.LESS);
  }

  /**
   * @param process whose; {@code ours} for all that belong to a build
   */
  static Figure relativeCpu(String variant, String process) {
    return new Figure(variant, "cpu " + process + ", relative", "times the others'", Better.LESS);
  }

  /**
   * @param which such as {@code avg}
   */
  static Figure latency(String variant, String which) {
    return new Figure(variant, "latency " + which, "ms", Better.LESS);
  }

  /** Both names. */
  String title() {
    return variant.isEmpty() ? name : variant + ": " + name;
  }

  /** What it means that B's mean lies so far from A's. */
  String judge(double delta) {
    return delta > 0 == (better == Better.MORE) ? "better" : "worse";
  }
}
