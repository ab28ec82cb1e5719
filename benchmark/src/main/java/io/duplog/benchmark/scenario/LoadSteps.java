package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.BridgeProcess;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.load.Senders;
import io.duplog.benchmark.load.SteppedRate;
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
 * Measures one lab under a sequence of loads: full load, several rates, nearly idle, and during
 * restarts of its parts. Used by one thread.
 *
 * @param load senders that are not started yet
 * @param pace pace of these senders
 * @param window how long each step is measured
 * @param counted empty at first; gets what the bridges counted during each restart, by its name
 */
record LoadSteps(
    Lab lab,
    Measurement measurement,
    Senders load,
    SteppedRate pace,
    Duration window,
    Map<String, Map<String, Double>> counted) {
  /** Fraction of the rate at full load that counts as 100 % in the steps with a fixed rate. */
  static final double OPEN_LOOP = 0.8;

  /**
   * Rates in percent, highest first, because compilation costs least for each message at a high
   * rate.
   */
  private static final int[] PERCENT = {80, 50, 25, 10};

  private static final double HALF = 0.5;
  private static final double IDLE = 10;
  private static final Duration OBSERVED = Duration.ofSeconds(15);
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(30);
  private static final Duration RUN_OUT = Duration.ofSeconds(2);

  /** Warm-up before each rate, in which the JVM compiles the code that only this rate uses. */
  private static final WarmUp RUN_IN = new WarmUp(Duration.ZERO, Duration.ofSeconds(15));

  /** Largest backlog with which a new rate may begin, in seconds of that rate. */
  private static final double REST_SECONDS = 0.05;

  private static final double NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_PAUSES = 60;
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** The latency counts as normal below this multiple of the latency before the restart. */
  private static final double NORMAL = 2;

  /** Latency in milliseconds that always counts as normal, as the 99th percentile. */
  private static final double GOOD_MILLIS = 100;

  /** Values of the metrics' label {@code passage} for delivered copies that may be duplicates. */
  private static final List<String> DOUBTFUL = List.of("bypassed", "released");

  /** Runs the load through all steps, ends the load, and returns one run for each step. */
  List<Run> run(WarmUp warmUp, Map<String, String> facts)
      throws LabException, IOException, InterruptedException {
    measurement.start(load);
    Map<String, String> more = new LinkedHashMap<>(facts);
    more.put("warm-up", measurement.warmUp(warmUp));
    long before = measurement.delivered();
    long begun = System.nanoTime();
    measure("full load");
    double seconds = (System.nanoTime() - begun) / NANOS_A_SECOND;
    double all = OPEN_LOOP * (measurement.delivered() - before) / seconds;
    more.put("100 % of an open loop", "%,.0f/s".formatted(all));
    for (int percent : PERCENT) {
      begin(all * percent / 100);
      measure("%d %% of the load".formatted(percent));
    }
    begin(IDLE);
    measure("idle, 10/s");
    Server bridge = lab.bridges().get(0).server();
    restart(
        "bridge",
        HALF * all,
        () -> {
          bridge.requestStop();
          bridge.awaitStop(STOPPED_WITHIN);
          bridge.start();
        });
    restart(
        "shim",
        HALF * all,
        () -> lab.nodes().get(0).rsyslog().shims().forEach(ProcessHandle::destroy));
    measurement.end();
    List<Run> runs = new ArrayList<>(measurement.compare(more));
    for (int i = 1; i < runs.size(); i++) {
      Map<String, Double> figures = counted.get(runs.get(i).variant());
      if (figures != null) {
        runs.set(i, runs.get(i).withFigures(figures).withFigures(restarted(i)));
      }
    }
    return List.copyOf(runs);
  }

  /**
   * Waits until the messages under way have arrived, so that they do not count for the next rate,
   * and then begins that rate.
   */
  private void begin(double rate) throws LabException, IOException, InterruptedException {
    long due = pace.allowed(load.sent()); // the most that any stream may have sent
    pace.set(0, due);
    int pauses = 0;
    do {
      measurement.hold(PAUSE, "rest");
      pauses++;
    } while (due - measurement.delivered() > REST_SECONDS * rate && pauses < MOST_PAUSES);
    pace.set(rate, load.sent());
    measurement.warmUp(RUN_IN);
  }

  private void measure(String variant) throws LabException, IOException, InterruptedException {
    measurement.measure(variant, window, () -> {});
  }

  /** Measures a restart, and records how many doubtful copies the bridges delivered during it. */
  private void restart(String part, double rate, Measurement.Disturbance restart)
      throws LabException, IOException, InterruptedException {
    begin(rate);
    measure("before the " + part);
    Map<String, Double> before = count();
    measurement.measure(part + " restarted", OBSERVED, restart);
    measurement.hold(RUN_OUT, "run-out"); // because counting slows down a new bridge
    Map<String, Double> figures = count();
    Map<String, Double> sums = new LinkedHashMap<>();
    figures.forEach(
        (name, now) -> {
          double then = before.getOrDefault(name, 0.0);
          sums.merge(name.replaceFirst(".* ", ""), now < then ? now : now - then, Double::sum);
        });
    counted.put(part + " restarted", sums);
  }

  /**
   * Returns how long a restart raised the latency, compared with the window before it, and how many
   * duplicates there were.
   */
  private Map<String, Double> restarted(int at) {
    double normal = measurement.found().get(at - 1).latency().p99Millis();
    Deliveries.InWindow during = measurement.found().get(at);
    int above = secondsAbove(Math.max(NORMAL * normal, GOOD_MILLIS), during.latencyOfEachSecond());
    return Map.of("s until normal", (double) above, "duplicates", (double) during.repeated());
  }

  /** Returns the number of seconds until the 99th percentile of the latency stays below a limit. */
  static int secondsAbove(double limitMillis, List<Latency> seconds) {
    int above = seconds.size();
    while (above > 0 && seconds.get(above - 1).p99Millis() < limitMillis) {
      above--;
    }
    return above;
  }

  /**
   * Returns how many doubtful copies each bridge delivered since its last start, by the bridge's
   * name and the passage.
   */
  private Map<String, Double> count() throws IOException {
    Map<String, Double> sums = new LinkedHashMap<>();
    for (BridgeProcess bridge : lab.bridges()) {
      String name = bridge.server().name() + " ";
      for (String line : bridge.metrics()) {
        for (String passage : DOUBTFUL) {
          if (line.startsWith("duplog_copies_delivered_total{passage=\"" + passage)) {
            sums.merge(name + passage, Double.valueOf(line.replaceAll(".* ", "")), Double::sum);
          }
        }
      }
    }
    return sums;
  }
}
