package io.duplog.benchmark.plan;

import io.duplog.benchmark.plan.Simulation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * All figures of an installation.
 *
 * @param lines in the order in which they are shown
 * @param layouts for each size of host that was asked for
 */
record Plan(Demand demand, Costs costs, List<Line> lines, List<Layout> layouts) {
  private static final double MICROS_A_SECOND = 1e6;
  private static final double SECONDS_A_DAY = 86_400;

  private static final String PROCESSOR = "processor";
  private static final String MEMORY = "memory";
  private static final String DISK = "disk";
  private static final String DUPLICATES = "duplicates";
  private static final String LOSSES = "losses";
  private static final String CORES = "cores";
  private static final String A_DAY = "messages/day";

  /** What a reader must not take for granted. */
  static final List<String> NOT_MODELLED =
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

  Plan {
    lines = List.copyOf(lines);
    layouts = List.copyOf(layouts);
  }

  /**
   * Calculates, and simulates for some seconds.
   *
   * @param seed of the simulation
   * @param sizes of hosts, in cores
   */
  static Plan of(Demand demand, Costs costs, long seed, List<Integer> sizes) {
    List<Line> lines = new ArrayList<>();
    Sizing sizing = new Sizing(demand, costs);
    List<Layout> layouts = sizes.stream().map(sizing::of).toList();
    addProcessor(lines, demand, costs);
    addMemory(lines, demand, costs);
    addDisk(lines, demand);
    Outcome outcome = Simulation.run(demand, seed);
    addDuplicates(lines, demand, outcome, seed);
    addLosses(lines, demand, outcome, seed);
    return new Plan(demand, costs, lines, layouts);
  }

  private static void addProcessor(List<Line> lines, Demand demand, Costs costs) {
    Traffic traffic = demand.traffic();
    for (Station station : Station.values()) {
      if (station != Station.SINK && station != Station.GENERATOR) {
        Cost cost = costs.of(station);
        double micros = cost.of(traffic);
        lines.add(
            new Line(
                PROCESSOR,
                station.toString(),
                station + (station == Station.REDIS ? "" : ", all of them"),
                demand.rate() * micros / MICROS_A_SECOND,
                CORES,
                "%s µs a message, from %s"
                    .formatted(Line.number(micros), cost.origin(station, demand.bytes()))));
      }
    }
    double all = costs.ofDuplog(traffic);
    lines.add(
        new Line(
            PROCESSOR,
            "all",
            "all together",
            demand.rate() * all / MICROS_A_SECOND,
            CORES,
            Line.number(all) + " µs a message"));
  }

  private static void addMemory(List<Line> lines, Demand demand, Costs costs) {
    Costs.Figure digest = costs.of(Memory.REDIS_DIGEST);
    Costs.Figure record = costs.of(Memory.REDIS_RECORD);
    double window = Demand.seconds(demand.window());
    double remembered = window * Demand.REMEMBERED;
    double always =
        costs.of(Memory.REDIS_EMPTY).bytes()
            + demand.rate() * window * Demand.RECORDED * record.bytes();
    double waiting = demand.rate() * demand.matchedSeconds();
    double incomplete = demand.rate() * demand.incomplete() * remembered;
    String each = "%s B a digest (%s)".formatted(Line.number(digest.bytes()), digest.source());
    lines.add(
        new Line(
            MEMORY,
            "redis",
            "Redis, all of them, every stream at work",
            always + (waiting + incomplete) * digest.bytes(),
            Line.BYTES,
            each
                + "; %s B a message for batches (%s)"
                    .formatted(Line.number(record.bytes()), record.source())));
    lines.add(
        new Line(
            MEMORY,
            "redis_with_a_stream_away",
            "the same with a stream away for a window: maxmemory",
            always + demand.rate() * remembered * digest.bytes(),
            Line.BYTES,
            "a digest for each message of a window and a sixteenth"));
    for (Memory process :
        new Memory[] {
          Memory.RSYSLOG_PROCESS, Memory.SHIM_PROCESS, Memory.BROKER_PROCESS, Memory.BRIDGE_PROCESS
        }) {
      Costs.Figure figure = costs.of(process);
      lines.add(
          new Line(
              MEMORY,
              process.toString(),
              process.what(),
              figure.bytes(),
              Line.BYTES,
              figure.source()));
    }
  }

  private static void addDisk(List<Line> lines, Demand demand) {
    double seconds = Demand.seconds(demand.outage());
    lines.add(
        new Line(
            DISK,
            "broker",
            "brokers of a stream, bridges or sink away for " + Span.text(demand.outage()),
            demand.rate() * (1 - demand.loss()) * seconds * demand.storedBytes(),
            Line.BYTES,
            demand.storedBytes()
                + " B a message, with its sender's address, not compressed (shims compress)"));
    lines.add(
        new Line(
            DISK,
            "rsyslog",
            "rsyslogs of a stream, brokers away for as long",
            demand.rate() * (1 - demand.loss()) * seconds * demand.bytes(),
            Line.BYTES,
            "the messages alone; rsyslog adds what it knows of each (not measured)"));
  }

  private static void addDuplicates(List<Line> lines, Demand demand, Outcome outcome, long seed) {
    double present = 1 - demand.loss();
    boolean late = demand.lag().compareTo(demand.window()) > 0;
    double onTime = 1 - Math.pow(demand.loss(), demand.streams() - 1);
    double single = late ? present * onTime : 0;
    lines.add(
        new Line(
            DUPLICATES,
            "of_single_messages",
            "of messages that have no equal",
            demand.rate() * (1 - demand.repeated()) * single * SECONDS_A_DAY,
            A_DAY,
            late
                ? "formula: the slowest stream lags by more than the window"
                : "formula: no stream lags by more than the window"));
    double share = (double) outcome.duplicated().count() / outcome.messages();
    lines.add(
        new Line(
            DUPLICATES,
            "of_repeated_messages",
            "of messages with equals, where lag and losses outlast the window",
            demand.rate() * demand.repeated() * share * SECONDS_A_DAY,
            A_DAY,
            simulated(outcome, outcome.duplicated(), seed)
                + (share > 0 ? "; a window of the lag and the time between equals has none" : "")));
    Traffic traffic = demand.traffic();
    double once = 1 - Math.pow(demand.loss(), demand.streams());
    lines.add(
        new Line(
            DUPLICATES,
            "while_redis_is_away",
            "at most, for each second in which Redis does not answer",
            demand.rate() * (traffic.copies() - once),
            "messages",
            "formula: every copy passes"));
  }

  private static void addLosses(List<Line> lines, Demand demand, Outcome outcome, long seed) {
    Losses losses = new Losses(demand.repeats(), demand.streams(), demand.loss());
    double groups = demand.rate() * demand.repeated() / demand.repeats();
    lines.add(
        new Line(
            LOSSES,
            "nowhere",
            "lost on every path, before any broker had them",
            demand.rate() * Math.pow(demand.loss(), demand.streams()) * SECONDS_A_DAY,
            A_DAY,
            "formula: loss ^ streams; no deduplication could deliver them"));
    lines.add(
        new Line(
            LOSSES,
            "by_rule",
            "of equal messages, of which each path lost another one",
            groups * losses.byRule() * SECONDS_A_DAY,
            A_DAY,
            "formula: mean of the least number missing on a path, less those lost on every one"));
    double share = (double) outcome.byRule().count() / outcome.messages();
    lines.add(
        new Line(
            LOSSES,
            "by_rule_simulated",
            "the same, simulated with the lag",
            demand.rate() * demand.repeated() * share * SECONDS_A_DAY,
            A_DAY,
            simulated(outcome, outcome.byRule(), seed)));
    lines.add(
        new Line(
            LOSSES,
            "chance",
            String.format(
                Locale.ROOT, "chance that %,d equal messages lose one so", demand.repeats()),
            losses.chance(),
            "",
            "formula"));
  }

  private static String simulated(Outcome outcome, Simulation.Tally tally, long seed) {
    return String.format(
        Locale.ROOT,
        "simulation: %,d ± %s of %,d messages, seed %d",
        tally.count(),
        Line.number(tally.error()),
        outcome.messages(),
        seed);
  }
}
