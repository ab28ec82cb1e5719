package io.duplog.benchmark.plan;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import io.duplog.benchmark.plan.Costs.Figure;
import io.duplog.benchmark.plan.Costs.Traffic;
import io.duplog.benchmark.report.Numbers;
import io.duplog.dedup.redis.RedisInspection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All figures of a planned installation. As JSON they are in bytes, seconds and shares.
 *
 * @param busy share of a processor that may be used
 * @param costs description of the measured costs that the figures come from
 * @param figures figures by section and key, in the order in which they are shown
 * @param hosts a layout for each requested size of host
 * @param notModelled what the plan does not consider
 * @see "docs/decisions/benchmark.md#plan"
 */
record Plan(
    Demand demand,
    double busy,
    String costs,
    @JsonAnyGetter Map<String, Map<String, PlanFigure>> figures,
    List<Layout> hosts,
    List<String> notModelled) {
  private static final double SECONDS_A_DAY = 86_400;
  private static final String LINE = "  %-66s %18s   %s\n";

  private static final List<String> NOT_MODELLED =
      List.of(
          "processors that are not like those measured on, and networks between hosts: everything"
              + " was measured on one machine, by the loopback interface",
          "TLS, routing rules, HEC with acknowledgement, quorum queues, several queues a node,"
              + " Redis Cluster, shims without confirmation",
          "rates far below a host's limit: batches are smaller there, and a message costs more than"
              + " said here, of processors that have nothing else to do",
          "losses that come in bursts, or on both paths at once: each copy is lost by itself",
          "duplicates by faults of programs and hosts, other than Redis: docs/guarantees.md lists"
              + " their causes",
          "Splunk, and the disks of the sink; compression, which makes a broker's disk last longer;"
              + " memory of brokers with a backlog");

  /**
   * Calculates a plan.
   *
   * @param busy share of a processor that may be used
   * @param sizes sizes of hosts, in cores
   * @throws IllegalArgumentException if the table of costs lacks an entry
   */
  static Plan of(Demand demand, Costs costs, double busy, List<Integer> sizes) {
    Plan plan =
        new Plan(
            demand,
            busy,
            "measured on %s cores of %s; lines through two sizes of messages"
                .formatted(
                    costs.machine().getOrDefault("cores", "?"),
                    costs.machine().getOrDefault("cpu", "?")),
            new LinkedHashMap<>(),
            sizes.stream().map(cores -> Layout.of(demand, costs, busy, cores)).toList(),
            NOT_MODELLED);
    plan.addProcessor(costs);
    plan.addMemory(costs);
    plan.addDisk();
    plan.addDuplicatesAndLosses();
    return plan;
  }

  private void add(String section, String key, PlanFigure line) {
    figures.computeIfAbsent(section, any -> new LinkedHashMap<>()).put(key, line);
  }

  private void addBytes(String section, String key, String what, double value, String source) {
    add(section, key, new PlanFigure(what, value, PlanFigure.BYTES, source));
  }

  private void addProcessor(Costs costs) {
    Traffic traffic = demand.traffic();
    costs
        .processor()
        .forEach(
            (process, cost) -> {
              if (Costs.DUPLOG.contains(process)) {
                String what = process.equals(Costs.REDIS) ? process : process + ", all of them";
                addCores(process, what, cost.of(traffic), cost.origin(demand.size()));
              }
            });
    addCores("all", "all together", costs.ofDuplog(traffic), "their sum");
  }

  private void addCores(String key, String what, double micros, String source) {
    String each = Numbers.text(micros) + " µs a message: " + source;
    double cores = demand.rate() * micros / Layout.MICROS_A_SECOND;
    add("processor", key, new PlanFigure(what, cores, "cores", each));
  }

  private void addMemory(Costs costs) {
    Figure digest = costs.memory("redis_digest");
    Figure record = costs.memory("redis_record");
    double window = demand.windowSeconds();
    double always =
        costs.memory("redis_empty").bytes() + demand.rate() * window * Demand.KEPT * record.bytes();
    addBytes(
        "memory",
        "redis",
        "Redis, all of them, every stream at work",
        always + demand.waitingDigests() * digest.bytes(),
        "%s B a digest (%s); %s B a message for batches (%s)"
            .formatted(
                Numbers.text(digest.bytes()),
                digest.source(),
                Numbers.text(record.bytes()),
                record.source()));
    addBytes(
        "memory",
        "redis_with_a_stream_away",
        "the same with a stream away for long: maxmemory",
        always + demand.rate() * window * RedisInspection.KEPT_WINDOWS * digest.bytes(),
        "a digest for each message of two windows, as the doctor reckons");
    for (String process : List.of("rsyslog", "shim", "broker", "bridge")) {
      Figure figure = costs.memory(process + "_process");
      String what = "one " + process + " under full load, without a backlog";
      addBytes("memory", process + "_process", what, figure.bytes(), figure.source());
    }
  }

  private void addDisk() {
    double messages = demand.rate() * (1 - demand.loss()) * demand.outageSeconds();
    addBytes(
        "disk",
        "broker",
        "brokers of a stream, bridges or sink away for " + PlanFigure.time(demand.outageSeconds()),
        messages * demand.storedBytes(),
        demand.storedBytes()
            + " B a message, with its sender's address, not compressed (shims compress)");
    addBytes(
        "disk",
        "rsyslog",
        "rsyslogs of a stream, brokers away for as long",
        messages * demand.size(),
        "the messages alone; rsyslog adds what it knows of each (not measured)");
  }

  private void addDuplicatesAndLosses() {
    double lag = demand.lagSeconds() / demand.windowSeconds();
    EqualMessages equal = new EqualMessages(demand.repeats(), demand.streams(), demand.loss());
    double groupsADay = demand.rate() / demand.repeats() * SECONDS_A_DAY;
    addADay(
        "duplicates",
        "of_late_copies",
        "at most, of copies that come when the window is over",
        groupsADay * equal.duplicates(lag),
        lag > 1
            ? "formula: the slowest stream lags by more than the window"
            : "formula; a window of the lag and the time between equals has none");
    add(
        "duplicates",
        "while_redis_is_away",
        new PlanFigure(
            "at most, for each second in which Redis does not answer",
            demand.rate() * (demand.traffic().copies() - 1 + demand.nowhere()),
            "messages",
            "formula: every copy passes"));
    addADay(
        "losses",
        "nowhere",
        "lost on every path, before any broker had them",
        demand.rate() * demand.nowhere() * SECONDS_A_DAY,
        "formula: loss ^ streams; no deduplication could deliver them");
    addADay(
        "losses",
        "by_rule",
        "of equal messages, of which each path lost another one",
        groupsADay * equal.lostByRule(),
        "formula: mean of the least number missing on a path, less those lost on every one");
  }

  private void addADay(String section, String key, String what, double value, String source) {
    add(section, key, new PlanFigure(what, value, "messages/day", source));
  }

  /** Formats the plan as text for a terminal. */
  String page() {
    StringBuilder page = new StringBuilder();
    page.append(
        ("%,.0f messages/s of %,d bytes on %d streams; each path loses %s of its copies; the"
                + " slowest stream is %s behind; window %s; each message is logged %,d times in a"
                + " window%ncosts: %s%n")
            .formatted(
                demand.rate(),
                demand.size(),
                demand.streams(),
                PlanFigure.percent(demand.loss()),
                PlanFigure.time(demand.lagSeconds()),
                PlanFigure.time(demand.windowSeconds()),
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
        .append(PlanFigure.percent(busy))
        .append(" of a processor may be used; any one of a group may be gone\n");
    hosts.forEach(layout -> page.append(layout.words(demand)).append('\n'));
    return page + "\nnot modelled\n  - " + String.join("\n  - ", notModelled) + "\n";
  }
}
