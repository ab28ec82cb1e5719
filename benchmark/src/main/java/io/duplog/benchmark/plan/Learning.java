package io.duplog.benchmark.plan;

import io.duplog.benchmark.plan.Costs.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes costs of what scenarios have written. Of a kind of process it takes the runs in which it
 * works as it is deployed, with the machine at its limit: a message costs more where there is time
 * for small batches. Of Java's programs it takes warm ones, as far as there are any. What {@code
 * peers} and {@code logtrust} measure, and {@code sc4s} with its servers held to some cores, is
 * left alone, so that there is something to validate with.
 */
final class Learning {
  private static final String DEAD = "one stream dead";
  private static final String HEALTHY = "healthy pair";
  private static final double MEGABYTE = 1e6;

  private static final Pattern RATE = Pattern.compile("([0-9,]+)/s");
  private static final Pattern MINUTES = Pattern.compile("(\\d+) min");
  private static final double SECONDS_A_MINUTE = 60;

  private final Map<String, String> machine = new LinkedHashMap<>();
  private final Set<RecordedRun> used = new LinkedHashSet<>();
  private final Path folder;

  private Learning(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads {@code sc4s.json}, {@code latency.json}, {@code duplog.json}, {@code data-prepper.json}
   * and {@code growth.json}.
   *
   * @throws IOException in one line, where one is missing or lacks a run
   */
  static Costs of(Path folder) throws IOException {
    return new Learning(folder).learn();
  }

  private Costs learn() throws IOException {
    List<RecordedRun> floods =
        runs("sc4s", run -> run.isJourney() && !run.isHeld() && !run.paced());
    List<RecordedRun> journeys = new ArrayList<>(floods);
    journeys.addAll(
        runs("latency", run -> run.isJourney() && run.busy() >= RecordedRun.AT_ITS_LIMIT));
    List<RecordedRun> bare = new ArrayList<>(runs("duplog", Learning::isWithBatches));
    bare.addAll(runs("growth", run -> run.name().contains(" streams, ")));
    bare.removeIf(run -> !run.isWarm());
    List<RecordedRun> clients = runs("data-prepper", run -> true);

    Map<Station, Cost> processor = new EnumMap<>(Station.class);
    for (Station station : Station.values()) {
      List<RecordedRun> runs = new ArrayList<>(journeys);
      switch (station) {
        case RSYSLOG -> {}
        case SHIM, GENERATOR -> runs.removeIf(run -> !run.isWarm());
        case BROKER -> runs.addAll(bare);
        case REDIS -> {
          runs.addAll(bare);
          runs.addAll(clients);
        }
        case BRIDGE, SINK -> {
          runs.removeIf(run -> !run.isWarm());
          runs.addAll(clients);
        }
      }
      runs.removeIf(run -> run.cpuMicros().getOrDefault(station.toString(), 0.0) <= 0);
      if (runs.isEmpty()) {
        throw new IOException("no run in " + folder + " says what the " + station + " costs");
      }
      used.addAll(runs);
      processor.put(station, Cost.fitted(station, runs));
    }
    double busy = floods.stream().mapToDouble(RecordedRun::busy).average().orElse(1);
    Map<Memory, Figure> memory = memory(floods);
    return new Costs(
        machine, busy, processor, memory, used.stream().map(RecordedRun::identity).toList());
  }

  /** Of the prototype's matrix, what is like a deployment: durable batches. */
  private static boolean isWithBatches(RecordedRun run) {
    return run.name().endsWith(": sustained") || run.name().contains(": batches, durable");
  }

  private Map<Memory, Figure> memory(List<RecordedRun> floods) throws IOException {
    Map<Memory, Figure> memory = new EnumMap<>(Memory.class);
    redis(memory);
    memory.put(Memory.RSYSLOG_PROCESS, greatest(floods, "rsyslog", "ingest nodes"));
    memory.put(Memory.SHIM_PROCESS, greatest(floods, "shim", "ingest nodes"));
    memory.put(Memory.BROKER_PROCESS, greatest(floods, "broker", "ingest nodes"));
    memory.put(Memory.BRIDGE_PROCESS, greatest(floods, "bridge", "bridges"));
    return memory;
  }

  private void redis(Map<Memory, Figure> memory) throws IOException {
    List<RecordedRun> dead = runs("growth", run -> run.name().contains(DEAD));
    RecordedRun most = dead.get(0);
    for (RecordedRun run : dead) {
      if (figure(run, "bytes a digest") > figure(most, "bytes a digest")) {
        most = run;
      }
    }
    memory.put(Memory.REDIS_DIGEST, new Figure(figure(most, "bytes a digest"), most.name()));
    // Rows follow on each other in one Redis, so that the first one's digests are its messages.
    RecordedRun first = dead.get(0);
    double empty = figure(first, "Redis MB") * MEGABYTE;
    empty -= figure(first, "bytes a digest") * first.sent();
    memory.put(Memory.REDIS_EMPTY, new Figure(Math.max(0, empty), first.name()));

    RecordedRun healthy = runs("growth", run -> run.name().contains(HEALTHY)).get(0);
    double seconds = healthy.sent() / number(RATE, healthy.name(), healthy);
    double window =
        SECONDS_A_MINUTE * number(MINUTES, healthy.facts().getOrDefault("window", ""), healthy);
    double grown =
        MEGABYTE
            * (figure(healthy, "Redis MB after a whole window") - figure(healthy, "Redis MB"))
            / (window / seconds - 1);
    memory.put(Memory.REDIS_RECORD, new Figure(grown / healthy.sent(), healthy.name()));
  }

  private static Figure greatest(List<RecordedRun> runs, String process, String number)
      throws IOException {
    double most = 0;
    String source = "";
    for (RecordedRun run : runs) {
      double bytes = run.residentBytes().getOrDefault(process, 0.0) / run.number(number);
      if (bytes > most) {
        most = bytes;
        source = run.name();
      }
    }
    if (source.isEmpty()) {
      throw new IOException("no run says how much memory the " + process + " has");
    }
    return new Figure(most, source);
  }

  private List<RecordedRun> runs(String scenario, Predicate<RecordedRun> wanted)
      throws IOException {
    Path file = folder.resolve(scenario + ".json");
    Recording recording = Recording.read(file);
    if (machine.isEmpty()) {
      machine.putAll(recording.machine());
    }
    List<RecordedRun> runs = recording.runs().stream().filter(wanted).toList();
    if (runs.isEmpty()) {
      throw new IOException(file + " has no run to learn from");
    }
    return runs;
  }

  private static double figure(RecordedRun run, String name) throws IOException {
    Double value = run.figures().get(name);
    if (value == null) {
      throw new IOException("'" + run.name() + "' has no " + name);
    }
    return value;
  }

  private static double number(Pattern pattern, String text, RecordedRun run) throws IOException {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IOException("'" + run.name() + "' does not say its rate and its window");
    }
    return Double.parseDouble(matcher.group(1).replace(",", ""));
  }
}
