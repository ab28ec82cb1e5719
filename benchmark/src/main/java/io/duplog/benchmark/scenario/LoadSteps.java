package io.duplog.benchmark.scenario;

import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.BridgeProcess;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.measure.Deliveries;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One lab of a pair under one load after the other: as fast as it goes, at several rates, idle, and
 * while parts of it are restarted. One thread.
 *
 * @param facts for the report
 * @param window of each load
 */
record LoadSteps(Lab lab, PacedLoad load, Map<String, String> facts, Duration window) {
  /** Of a flood's rate: what counts as 100 % of an open loop, whose senders wait for nobody. */
  private static final double OPEN_LOOP = 0.8;

  private static final int[] PERCENT = {10, 25, 50, 80};
  private static final double HALF = 0.5;
  private static final double IDLE = 10;
  private static final Duration OBSERVED = Duration.ofSeconds(15);
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(30);

  /** Latency is normal again below so many times what it was before. */
  private static final double NORMAL = 2;

  /** What the bridges count, and the beginning of the metric's line. */
  private static final Map<String, String> COUNTERS =
      ImmutableMap.of(
          "bypassed",
          "duplog_copies_delivered_total{passage=\"bypassed\"",
          "released",
          "duplog_copies_delivered_total{passage=\"released\"",
          "Redis failures",
          "duplog_store_failures_total");

  /** Measures all of it, and ends the load. */
  List<Run> run(WarmUp warmUp) throws LabException, IOException, InterruptedException {
    load.senders().start();
    String warm = load.measurement().warmUp(load.senders(), warmUp);
    double all = OPEN_LOOP * load.rateDuring(() -> measure("full load"));
    for (int percent : PERCENT) {
      load.begin(all * percent / 100);
      measure("%d %% of the load".formatted(percent));
    }
    load.begin(IDLE);
    measure("idle, 10/s");
    Server bridge = lab.bridges().get(0).server();
    List<Map<String, Double>> counters = new ArrayList<>();
    load.begin(HALF * all);
    measure("before the bridge");
    counters.add(counted(lab.bridges().subList(1, lab.bridges().size()))); // it begins with 0 again
    long[] nanos = {System.nanoTime(), 0};
    restart(
        "bridge restarted",
        () -> {
          bridge.requestStop();
          bridge.awaitStop(STOPPED_WITHIN);
          nanos[1] = System.nanoTime();
          bridge.start();
        });
    counters.add(counted(lab.bridges()));
    load.begin(HALF * all);
    measure("before the shim");
    restart(
        "shim restarted",
        () -> lab.nodes().get(0).rsyslog().shims().forEach(ProcessHandle::destroy));
    counters.add(counted(lab.bridges()));
    load.measurement().end(load.senders());
    Map<String, String> more = new LinkedHashMap<>(facts);
    more.put("warm-up", warm);
    more.put("100 % of an open loop", "%,.0f/s".formatted(all));
    List<Run> runs = new ArrayList<>(load.measurement().compare(load.senders(), more));
    int last = runs.size() - 1;
    double stop = (nanos[1] - nanos[0]) / (double) TimeUnit.SECONDS.toNanos(1);
    runs.set(last, restarted(runs, last, 0, counters.get(1), counters.get(2)));
    runs.set(last - 2, restarted(runs, last - 2, stop, counters.get(0), counters.get(1)));
    return List.copyOf(runs);
  }

  private void measure(String variant) throws LabException, IOException, InterruptedException {
    load.measurement().measure(load.senders(), variant, window, () -> {});
  }

  private void restart(String variant, Measurement.Disturbance disturbance)
      throws LabException, IOException, InterruptedException {
    load.measurement().measure(load.senders(), variant, OBSERVED, disturbance);
  }

  /**
   * With what the restart did, compared with the window before it.
   *
   * @param stop how many seconds it took until what was to stop had stopped
   */
  private Run restarted(
      List<Run> runs, int at, double stop, Map<String, Double> before, Map<String, Double> after) {
    List<Deliveries.InWindow> windows = load.measurement().deliveries().windows();
    Map<String, Double> figures = new LinkedHashMap<>();
    double normal = windows.get(at - 1).latency().p99Millis();
    List<Latency> seconds = windows.get(at).latencyOfEachSecond();
    figures.put("s to stop", stop);
    figures.put("s until normal", Math.max(0, secondsAbove(NORMAL * normal, seconds) - stop));
    double repeated = windows.get(at).repeated();
    figures.put("duplicates", repeated);
    after.forEach((name, count) -> figures.put(name, count - before.getOrDefault(name, 0.0)));
    figures.put(
        "duplicates without Redis", Math.min(repeated, figures.getOrDefault("bypassed", 0.0)));
    return runs.get(at).withFigures(figures);
  }

  /** After how many seconds the 99th percentile stays below a limit. */
  static int secondsAbove(double limitMillis, List<Latency> seconds) {
    int above = seconds.size();
    while (above > 0 && seconds.get(above - 1).p99Millis() < limitMillis) {
      above--;
    }
    return above;
  }

  private static Map<String, Double> counted(List<BridgeProcess> bridges) throws IOException {
    Map<String, Double> sums = new LinkedHashMap<>();
    for (BridgeProcess bridge : bridges) {
      for (String line : bridge.metrics()) {
        COUNTERS.forEach(
            (name, beginning) -> {
              if (line.startsWith(beginning)) {
                double value = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
                sums.merge(name, value, Double::sum);
              }
            });
      }
    }
    return sums;
  }
}
