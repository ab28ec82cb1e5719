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
 * The result of {@code plan}: all calculated figures of an installation, and the hosts that it
 * needs. The JSON has bytes, seconds and fractions.
 *
 * @param busy fraction of a processor that may be used
 * @param costs description of the measured costs that the figures come from
 * @param figures figures by section and key, in the order of the page
 * @param hosts a layout for each requested size of host
 * @param notModelled factors that the plan does not consider
 * @see "docs/decisions/benchmark.md#plan"
 */
record Plan(
    Demand demand,
    double busy,
    String costs,
    @JsonAnyGetter Map<String, Map<String, PlanFigure>> figures,
    List<Layout> hosts,
    List<String> notModelled) {
  private static final double SECONDS_PER_DAY = 86_400;
  private static final String LINE_FORMAT = "  %-66s %18s   %s\n";

  private static final List<String> NOT_MODELLED =
      List.of(
          "processors that differ from the measured ones, and networks between hosts: all figures"
              + " were measured on one machine, over the loopback interface",
          "TLS, routing rules, HEC with acknowledgement, quorum queues, several queues per node,"
              + " Redis Cluster, shims without confirmation",
          "rates far below a host's limit: batches are smaller there, and a message costs more than"
              + " stated here, on processors that are otherwise idle",
          "losses in bursts, or on both paths at once: each copy is lost independently",
          "duplicates caused by faults of programs and hosts, except Redis: docs/guarantees.md lists"
              + " their causes",
          "Splunk, and the disks of the sink; compression, which makes a broker's disk last longer;"
              + " memory of brokers with a backlog");

  /**
   * Calculates a plan.
   *
   * @param busy fraction of a processor that may be used
   * @param sizes sizes of hosts, in cores
   * @throws IllegalArgumentException if an entry is missing from the table of costs
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

  private void addBytes(
      String section, String key, String description, double value, String source) {
    add(section, key, new PlanFigure(description, value, PlanFigure.BYTES, source));
  }

  private void addProcessor(Costs costs) {
    Traffic traffic = demand.traffic();
    costs
        .processor()
        .forEach(
            (process, cost) -> {
              if (Costs.DUPLOG_PROCESSES.contains(process)) {
                String description =
                    process.equals(Costs.REDIS) ? process : "all " + process + " processes";
                addCores(process, description, cost.micros(traffic), cost.origin(demand.size()));
              }
            });
    addCores("all", "all processes together", costs.duplogMicros(traffic), "their sum");
  }

  private void addCores(String key, String description, double micros, String source) {
    String costSource = Numbers.text(micros) + " µs per message: " + source;
    double cores = demand.rate() * micros / Layout.MICROS_PER_SECOND;
    add("processor", key, new PlanFigure(description, cores, "cores", costSource));
  }

  private void addMemory(Costs costs) {
    Figure digest = costs.memory("redis_digest");
    Figure record = costs.memory("redis_record");
    double window = demand.windowSeconds();
    double baseBytes =
        costs.memory("redis_empty").bytes()
            + demand.rate() * window * Demand.KEPT_WINDOWS * record.bytes();
    addBytes(
        "memory",
        "redis",
        "all Redis servers, while all streams work",
        baseBytes + demand.waitingDigests() * digest.bytes(),
        "%s B per digest (%s); %s B per message for batches (%s)"
            .formatted(
                Numbers.text(digest.bytes()),
                digest.source(),
                Numbers.text(record.bytes()),
                record.source()));
    addBytes(
        "memory",
        "redis_with_a_stream_away",
        "the same after a long outage of a stream: maxmemory",
        baseBytes + demand.rate() * window * RedisInspection.KEPT_WINDOWS * digest.bytes(),
        "a digest for each message of two windows, like the doctor's formula");
    for (String process : List.of("rsyslog", "shim", "broker", "bridge")) {
      Figure figure = costs.memory(process + "_process");
      String description = "one " + process + " under full load, without a backlog";
      addBytes("memory", process + "_process", description, figure.bytes(), figure.source());
    }
  }

  private void addDisk() {
    double messages = demand.rate() * (1 - demand.loss()) * demand.outageSeconds();
    addBytes(
        "disk",
        "broker",
        "brokers of a stream, if bridges or sink are unavailable for "
            + PlanFigure.time(demand.outageSeconds()),
        messages * demand.storedBytes(),
        demand.storedBytes()
            + " B per message, with its sender's address, not compressed (shims compress)");
    addBytes(
        "disk",
        "rsyslog",
        "rsyslogs of a stream, if brokers are unavailable for as long",
        messages * demand.size(),
        "only the messages; rsyslog adds properties of each (not measured)");
  }

  private void addDuplicatesAndLosses() {
    double lag = demand.lagSeconds() / demand.windowSeconds();
    EqualMessages equal = new EqualMessages(demand.repeats(), demand.streams(), demand.loss());
    double groupsPerDay = demand.rate() / demand.repeats() * SECONDS_PER_DAY;
    addPerDay(
        "duplicates",
        "of_late_copies",
        "at most, by copies that arrive after the window",
        groupsPerDay * equal.duplicates(lag),
        lag > 1
            ? "formula: the slowest stream lags by more than the window"
            : "formula; none if the window is the lag plus the time between equal messages");
    add(
        "duplicates",
        "while_redis_is_away",
        new PlanFigure(
            "at most, for each second in which Redis does not answer",
            demand.rate() * (demand.traffic().copies() - 1 + demand.lostOnAllStreams()),
            "messages",
            "formula: every copy is delivered"));
    addPerDay(
        "losses",
        "nowhere",
        "lost on every path before a broker had them",
        demand.rate() * demand.lostOnAllStreams() * SECONDS_PER_DAY,
        "formula: loss ^ streams; no deduplication could deliver them");
    addPerDay(
        "losses",
        "by_rule",
        "equal messages, if each path lost a different one",
        groupsPerDay * equal.lostByRule(),
        "formula: mean of the minimum number missing on a path, minus those lost on all paths");
  }

  private void addPerDay(
      String section, String key, String description, double value, String source) {
    add(section, key, new PlanFigure(description, value, "messages/day", source));
  }

  /** Formats the plan as text for a terminal. */
  String page() {
    StringBuilder page = new StringBuilder();
    page.append(
        ("%,.0f messages/s of %,d bytes on %d streams; each path loses %s of its copies; the"
                + " slowest stream lags by %s; window %s; each message is logged %,d times in a"
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
                  line ->
                      page.append(
                          LINE_FORMAT.formatted(line.description(), line.amount(), line.source())));
        });
    page.append("\nhosts, if ")
        .append(PlanFigure.percent(busy))
        .append(" of a processor may be used; any one host of a group may fail\n");
    hosts.forEach(layout -> page.append(layout.text(demand)).append('\n'));
    return page + "\nnot modelled\n  - " + String.join("\n  - ", notModelled) + "\n";
  }
}
