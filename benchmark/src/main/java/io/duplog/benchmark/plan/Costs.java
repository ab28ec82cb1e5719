package io.duplog.benchmark.plan;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the benchmark measured, as far as a plan needs it.
 *
 * @param machine on which
 * @param busy the share of the processors that was used where a run was at the machine's limit
 * @param processor by kind of process
 * @param memory each with the run that shows it
 * @param learnedFrom identities of all runs that took part: they prove nothing
 */
record Costs(
    Map<String, String> machine,
    double busy,
    Map<Station, Cost> processor,
    Map<Memory, Figure> memory,
    List<String> learnedFrom) {

  /**
   * @param source scenario and variant
   */
  record Figure(double bytes, String source) {}

  Costs {
    machine = new LinkedHashMap<>(machine);
    processor = new EnumMap<>(processor);
    memory = new EnumMap<>(memory);
    learnedFrom = List.copyOf(learnedFrom);
    for (Station station : Station.values()) {
      if (!processor.containsKey(station)) {
        throw new IllegalArgumentException("no cost of the " + station);
      }
    }
    for (Memory each : Memory.values()) {
      if (!memory.containsKey(each)) {
        throw new IllegalArgumentException("no figure for " + each);
      }
    }
  }

  Cost of(Station station) {
    Cost cost = processor.get(station);
    if (cost == null) {
      throw new IllegalStateException("checked when it was made: " + station);
    }
    return cost;
  }

  Figure of(Memory memory) {
    Figure figure = this.memory.get(memory);
    if (figure == null) {
      throw new IllegalStateException("checked when it was made: " + memory);
    }
    return figure;
  }

  /** Microseconds a message, of all that Duplog consists of: without sink and senders. */
  double ofDuplog(Traffic traffic) {
    double sum = 0;
    for (Station station : Station.values()) {
      if (station != Station.SINK && station != Station.GENERATOR) {
        sum += of(station).of(traffic);
      }
    }
    return sum;
  }

  /** In a line. */
  String origin() {
    double worst = processor.values().stream().mapToDouble(Cost::worst).max().orElse(0);
    return "%d runs on %s cores of %s; the fit's greatest deviation for a kind of process is %.0f %%"
        .formatted(
            learnedFrom.size(),
            machine.getOrDefault("cores", "?"),
            machine.getOrDefault("cpu", "?"),
            100 * worst);
  }
}
