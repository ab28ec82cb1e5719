package io.duplog.benchmark.plan;

import java.util.Locale;
import java.util.Map;

/** Costs for a terminal. */
final class CostsPage {
  private CostsPage() {}

  static String of(Costs costs) {
    StringBuilder page = new StringBuilder();
    page.append("learned from ").append(costs.origin()).append('\n');
    page.append("\nprocessor time in µs\n");
    for (Map.Entry<Station, Cost> each : costs.processor().entrySet()) {
      page.append(String.format(Locale.ROOT, "  %-10s", each.getKey()));
      for (Map.Entry<Term, Double> term : each.getValue().micros().entrySet()) {
        page.append(' ').append(Line.number(term.getValue())).append(" a ").append(term.getKey());
        page.append(',');
      }
      page.append(
          String.format(
              Locale.ROOT,
              " off by %.0f %% at most, from %s\n",
              100 * each.getValue().worst(),
              String.join("; ", each.getValue().runs())));
    }
    page.append("\nmemory\n");
    for (Map.Entry<Memory, Costs.Figure> each : costs.memory().entrySet()) {
      page.append(
          String.format(
              Locale.ROOT,
              "  %-56s %15s   %s\n",
              each.getKey().what(),
              String.format(Locale.ROOT, "%,.1f B", each.getValue().bytes()),
              each.getValue().source()));
    }
    return page.toString();
  }
}
