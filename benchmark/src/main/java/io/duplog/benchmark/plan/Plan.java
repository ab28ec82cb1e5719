package io.duplog.benchmark.plan;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import io.duplog.benchmark.plan.Costs.Figure;
import io.duplog.benchmark.plan.Costs.Traffic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All figures of an installation; as JSON in bytes, seconds and shares.
 *
 * @param busy share of a processor that may be used
 * @param costs what they come from
 * @param figures by section and key, in the order in which they are shown
 * @param hosts for each size of host that was asked for
 * @param notModelled what a reader must not take for granted
 */
record Plan(
    Demand demand,
    double busy,
    String costs,
    @JsonAnyGetter Map<String, Map<String, Line>> figures,
    List<Layout> hosts,
    List<String> notModelled) {
  private static final double SECONDS_A_DAY = 86_400;
  private static final String A_DAY = "messages/day";
  private static final String LINE = "  %-66s %18s   %s\n";

  private static final List<String> NOT_MODELLED =
      List.of(
          "processors that are not like those measured on, and networks between hosts: everything"
              + " was measured on one machine, by the loopback interface",
          "TLS, routing rules, HEC with acknowledgement, quorum queues, several queues a node, Redis"
              + " Cluster, shims without confirmation",
          "rates far below a host's limit: batches are smaller there, and a message costs more than"
              + " said here, of processors that have nothing else to do",
          "losses that come in bursts, or on both paths at once: each copy is lost by itself",
          "duplicates by faults of programs and hosts, other than Redis: docs/guarantees.md lists"
              + " their causes",
          "Splunk, and the disks of the sink; compression, which makes a broker's disk last longer;"
              + " memory of brokers with a backlog");

  /**
   * Calculates.
   *
   * @param busy share of a processor that may be used
   * @param sizes of hosts, in cores
   * @throws IllegalArgumentException where the costs lack one
   */
  static Plan of(Demand demand, Costs costs, double busy, List<Integer> sizes) {
    Map<String, Map<String, Line>> figures = new LinkedHashMap<>();
    figures.put("processor", processor(demand, costs));
    figures.put("memory", memory(demand, costs));
    figures.put("disk", disk(demand));
    figures.put("duplicates", duplicates(demand));
    figures.put("losses", losses(demand));
    return new Plan(
        demand,
        busy,
        "measured on %s cores of %s; lines through two sizes of messages"
            .formatted(
                costs.machine().getOrDefault("cores", "?"),
                costs.machine().getOrDefault("cpu", "?")),
        figures,
        sizes.stream().map(cores -> Layout.of(demand, costs, busy, cores)).toList(),
        NOT_MODELLED);
  }

  private static Map<String, Line> processor(Demand demand, Costs costs) {
    Map<String, Line> lines = new LinkedHashMap<>();
    Traffic traffic = demand.traffic();
    costs
        .processor()
        .forEach(
            (process, cost) -> {
              if (Costs.DUPLOG.contains(process)) {
                String what = process.equals(Costs.REDIS) ? process : process + ", all of them";
                lines.put(
                    process, cores(what, demand, cost.of(traffic), cost.origin(demand.size())));
              }
            });
    lines.put("all", cores("all together", demand, costs.ofDuplog(traffic), "their sum"));
    return lines;
  }

  private static Line cores(String what, Demand demand, double micros, String source) {
    String each = Line.number(micros) + " µs a message: " + source;
    return new Line(what, demand.rate() * micros / Layout.MICROS_A_SECOND, "cores", each);
  }

  private static Map<String, Line> memory(Demand demand, Costs costs) {
    Figure digest = costs.memory("redis_digest");
    Figure record = costs.memory("redis_record");
    double window = demand.windowSeconds();
    double always =
        costs.memory("redis_empty").bytes()
            + demand.rate() * window * Demand.RECORDED * record.bytes();
    Map<String, Line> lines = new LinkedHashMap<>();
    lines.put(
        "redis",
        bytes(
            "Redis, all of them, every stream at work",
            always + demand.waitingDigests() * digest.bytes(),
            "%s B a digest (%s); %s B a message for batches (%s)"
                .formatted(
                    Line.number(digest.bytes()),
                    digest.source(),
                    Line.number(record.bytes()),
                    record.source())));
    lines.put(
        "redis_with_a_stream_away",
        bytes(
            "the same with a stream away for a window: maxmemory",
            always + demand.rate() * window * Demand.REMEMBERED * digest.bytes(),
            "a digest for each message of a window and a sixteenth"));
    for (String process : List.of("rsyslog", "shim", "broker", "bridge")) {
      Figure figure = costs.memory(process + "_process");
      String what = "one " + process + " under full load, without a backlog";
      lines.put(process + "_process", bytes(what, figure.bytes(), figure.source()));
    }
    return lines;
  }

  private static Map<String, Line> disk(Demand demand) {
    double messages = demand.rate() * (1 - demand.loss()) * demand.outageSeconds();
    String outage = Line.time(demand.outageSeconds());
    Map<String, Line> lines = new LinkedHashMap<>();
    lines.put(
        "broker",
        bytes(
            "brokers of a stream, bridges or sink away for " + outage,
            messages * demand.storedBytes(),
            demand.storedBytes()
                + " B a message, with its sender's address, not compressed (shims compress)"));
    lines.put(
        "rsyslog",
        bytes(
            "rsyslogs of a stream, brokers away for as long",
            messages * demand.size(),
            "the messages alone; rsyslog adds what it knows of each (not measured)"));
    return lines;
  }

  private static Line bytes(String what, double value, String source) {
    return new Line(what, value, Line.BYTES, source);
  }

  private static Map<String, Line> duplicates(Demand demand) {
    double lag = demand.lagSeconds() / demand.windowSeconds();
    EqualMessages equal = new EqualMessages(demand.repeats(), demand.streams(), demand.loss());
    Map<String, Line> lines = new LinkedHashMap<>();
    lines.put(
        "of_late_copies",
        aDay(
            "at most, of copies that come when the window is over",
            demand.rate() * equal.duplicates(lag) / demand.repeats(),
            lag > 1
                ? "formula: the slowest stream lags by more than the window"
                : "formula; a window of the lag and the time between equals has none"));
    lines.put(
        "while_redis_is_away",
        new Line(
            "at most, for each second in which Redis does not answer",
            demand.rate() * (demand.traffic().copies() - 1 + demand.nowhere()),
            "messages",
            "formula: every copy passes"));
    return lines;
  }

  private static Map<String, Line> losses(Demand demand) {
    EqualMessages equal = new EqualMessages(demand.repeats(), demand.streams(), demand.loss());
    Map<String, Line> lines = new LinkedHashMap<>();
    lines.put(
        "nowhere",
        aDay(
            "lost on every path, before any broker had them",
            demand.rate() * demand.nowhere(),
            "formula: loss ^ streams; no deduplication could deliver them"));
    lines.put(
        "by_rule",
        aDay(
            "of equal messages, of which each path lost another one",
            demand.rate() / demand.repeats() * equal.lostByRule(),
            "formula: mean of the least number missing on a path, less those lost on every one"));
    return lines;
  }

  private static Line aDay(String what, double aSecond, String source) {
    return new Line(what, aSecond * SECONDS_A_DAY, A_DAY, source);
  }

  /** For a terminal. */
  String page() {
    StringBuilder page = new StringBuilder();
    page.append(
        String.format(
            Locale.ROOT,
            "%,.0f messages/s of %,d bytes on %d streams; each path loses %s of its copies; the"
                + " slowest stream is %s behind; window %s; each message is logged %,d times in a"
                + " window\ncosts: %s\n",
            demand.rate(),
            demand.size(),
            demand.streams(),
            Line.percent(demand.loss()),
            Line.time(demand.lagSeconds()),
            Line.time(demand.windowSeconds()),
            demand.repeats(),
            costs));
    figures.forEach(
        (section, lines) -> {
          page.append('\n').append(section).append('\n');
          lines
              .values()
              .forEach(
                  line -> page.append(LINE.formatted(line.what(), line.amount(), line.source())));
        });
    page.append("\nhosts, where ")
        .append(Line.percent(busy))
        .append(" of a processor may be used; any one of a group may be gone\n");
    hosts.forEach(layout -> page.append(line(layout)));
    page.append("\nnot modelled\n");
    notModelled.forEach(each -> page.append("  - ").append(each).append('\n'));
    return page.toString();
  }

  private String line(Layout layout) {
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
        layout.bridgeHosts() == 0
            ? "with a bridge each"
            : String.format(Locale.ROOT, "+ %,d for bridges", layout.bridgeHosts()),
        layout.groups(),
        100 * layout.busiest(),
        Line.time(demand.outageSeconds()),
        Line.time(layout.catchingUp() * demand.outageSeconds()));
  }
}
