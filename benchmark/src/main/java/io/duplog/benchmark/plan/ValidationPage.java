package io.duplog.benchmark.plan;

import io.duplog.benchmark.plan.Validation.Compared;
import io.duplog.benchmark.plan.Validation.Pair;
import java.util.Locale;

/** A validation for a terminal. */
final class ValidationPage {
  private ValidationPage() {}

  static String of(Validation validation) {
    StringBuilder page = new StringBuilder();
    page.append(
        String.format(
            Locale.ROOT,
            "%-44s %10s %10s %7s   %10s %10s %7s\n",
            "run",
            "µs a msg",
            "foretold",
            "off by",
            "messages/s",
            "foretold",
            "off by"));
    for (Compared compared : validation.compared()) {
      page.append(String.format(Locale.ROOT, "%-44s %s", compared.name(), pair(compared.micros())));
      compared.rates().forEach(rates -> page.append("   ").append(pair(rates)));
      page.append(compared.isWithin() ? "\n" : "   TOO FAR\n");
    }
    validation.leftOut().forEach(each -> page.append("left out, ").append(each).append('\n'));
    page.append(verdict(validation));
    return page.toString();
  }

  private static String pair(Pair pair) {
    return String.format(
        Locale.ROOT,
        "%10s %10s %+5.0f %%",
        Line.number(pair.measured()),
        Line.number(pair.foretold()),
        100 * pair.deviation());
  }

  private static String verdict(Validation validation) {
    if (validation.compared().isEmpty()) {
      return "nothing to compare";
    }
    long within = validation.compared().stream().filter(Compared::isWithin).count();
    return String.format(
        Locale.ROOT,
        "%d of %d runs within %.0f %%",
        within,
        validation.compared().size(),
        100 * Validation.TOLERANCE);
  }
}
