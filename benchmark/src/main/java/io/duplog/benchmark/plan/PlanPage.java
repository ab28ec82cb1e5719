package io.duplog.benchmark.plan;

import java.util.Locale;

/** A plan for a terminal. */
final class PlanPage {
  private PlanPage() {}

  static String of(Plan plan) {
    StringBuilder page = new StringBuilder();
    page.append(demand(plan.demand())).append('\n');
    page.append("costs: ").append(plan.costs().origin()).append('\n');
    String section = "";
    for (Line line : plan.lines()) {
      if (!line.section().equals(section)) {
        section = line.section();
        page.append('\n').append(section).append('\n');
      }
      page.append(
          "  %-66s %18s   %s\n".formatted(line.what(), line.amount().strip(), line.source()));
    }
    page.append("\nhosts, where ")
        .append(percent(plan.demand().busy()))
        .append(" of a processor may be used; any one of a group may be gone\n");
    plan.layouts().forEach(layout -> page.append(line(plan.demand(), layout)));
    page.append("\nnot modelled\n");
    Plan.NOT_MODELLED.forEach(each -> page.append("  - ").append(each).append('\n'));
    return page.toString();
  }

  private static String demand(Demand demand) {
    return String.format(
        Locale.ROOT,
        "%,.0f messages/s of %,d bytes on %d streams; each path loses %s of its copies; the slowest"
            + " stream is %s behind; window %s; %s of the messages are logged %,d times in a window",
        demand.rate(),
        demand.bytes(),
        demand.streams(),
        percent(demand.loss()),
        Span.text(demand.lag()),
        Span.text(demand.window()),
        percent(demand.repeated()),
        demand.repeats());
  }

  private static String line(Demand demand, Layout layout) {
    String bridges =
        layout.bridgesBeside()
            ? "with a bridge each"
            : String.format(Locale.ROOT, "+ %,d for bridges", layout.bridgeHosts());
    return String.format(
        Locale.ROOT,
        "  %,6d of %2d cores: %,d group%s of %,.0f messages/s (limit: %s), %,d ingest %s, %,d for"
            + " Redis (2 cores); busiest %.0f %%; backlog of %s gone in %s\n",
        layout.hosts(),
        layout.cores(),
        layout.groups(),
        layout.groups() == 1 ? "" : "s",
        layout.groupRate(),
        layout.limit(),
        layout.ingestHosts(),
        bridges,
        layout.redisHosts(),
        100 * layout.busiest(),
        Span.text(demand.outage()),
        Line.seconds(layout.catchingUp() * Demand.seconds(demand.outage())));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.4f", 100 * share).replaceFirst("\\.?0+$", "") + " %";
  }
}
