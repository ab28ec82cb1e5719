package io.duplog.benchmark.soak;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Comparator;
import java.util.List;

/**
 * What is compared: one number of a run.
 *
 * @param variant of the scenario; empty where it has one only
 * @param name such as {@code rate}
 * @param unit of the samples
 */
record Figure(String variant, @JsonProperty("figure") String name, String unit) {
  private static final String RATE = "rate";
  private static final List<String> WHOLE =
      List.of(RATE, "cpu total", "cpu ours, relative", "latency avg", "latency p99");

  /** The figures of a whole, then those of its parts, variant by variant. */
  static final Comparator<Figure> ORDER =
      Comparator.comparing(Figure::variant)
          .thenComparing(figure -> figure.isOfTheWhole() ? WHOLE.indexOf(figure.name()) : 9)
          .thenComparing(Figure::name);

  static Figure rate(String variant) {
    return new Figure(variant, RATE, "messages/s");
  }

  /**
   * @param process whose; {@code total} for all of them
   */
  static Figure cpu(String variant, String process) {
    return new Figure(variant, "cpu " + process, "µs/message");
  }

  /**
   * @param process whose; {@code ours} for all that belong to a build
   */
  static Figure relativeCpu(String variant, String process) {
    return new Figure(variant, "cpu " + process + ", relative", "times the others'");
  }

  /**
   * @param which such as {@code avg}
   */
  static Figure latency(String variant, String which) {
    return new Figure(variant, "latency " + which, "ms");
  }

  /** Whether it is not that of a single process. */
  boolean isOfTheWhole() {
    return WHOLE.contains(name);
  }

  /** Both names. */
  String title() {
    return variant.isEmpty() ? name : variant + ": " + name;
  }

  /** What it means that B has so much more: of a rate more is better, of all else less. */
  String judge(double change) {
    return change > 0 == name.equals(RATE) ? "better" : "worse";
  }
}
