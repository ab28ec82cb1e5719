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
 * Measures one lab at full load, at fixed rates, nearly idle, and while its parts are restarted.
 * Not thread-safe.
 *
 * @param load senders that have not been started yet
 * @param pace pace of these senders
 * @param window duration of each step
 * @param restartCounts counts of the bridges by the name of a restart; empty at first
 */
record LoadSteps(
    Lab lab,
    Measurement measurement,
    Senders load,
    SteppedRate pace,
    Duration window,
    Map<String, Map<String, Double>> restartCounts) {
  /** Fraction of the rate at full load that counts as 100 % in the steps with a fixed rate. */
  static final double FULL_RATE_FRACTION = 0.8;

  /** Rates in percent, highest first. At a high rate, compilation costs least per message. */
  private static final int[] RATE_PERCENTAGES = {80, 50, 25, 10};

  private static final double RESTART_RATE_FRACTION = 0.5;
  private static final double IDLE_PER_SECOND = 10;
  private static final Duration RESTART_WINDOW = Duration.ofSeconds(15);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration PAUSE_AFTER_RESTART = Duration.ofSeconds(2);

  /** Warm-up before each rate. The JVM compiles the code that only this rate uses. */
  private static final WarmUp STEP_WARM_UP = new WarmUp(Duration.ZERO, Duration.ofSeconds(15));

  /** Maximum backlog at the start of a new rate, in seconds of that rate. */
  private static final double MAX_BACKLOG_SECONDS = 0.05;

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int MAX_PAUSES = 60;
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** The latency counts as normal below this multiple of the latency before the restart. */
  private static final double NORMAL_FACTOR = 2;

  /** 99th percentile in milliseconds below which the latency always counts as normal. */
  private static final double NORMAL_MILLIS = 100;

  /** Values of the metric label {@code passage} for delivered copies that may be duplicates. */
  private static final List<String> POSSIBLE_DUPLICATE_PASSAGES = List.of("bypassed", "released");

  /** Runs the load through all steps and ends it. Returns one run for each step. */
  List<Run> run(WarmUp warmUp, Map<String, String> facts)
      throws LabException, IOException, InterruptedException {
    measurement.start(load);
    Map<String, String> allFacts = new LinkedHashMap<>(facts);
    allFacts.put("warm-up", measurement.warmUp(warmUp));
    long deliveredBefore = measurement.delivered();
    long beginNanos = System.nanoTime();
    measure("full load");
    double seconds = (System.nanoTime() - beginNanos) / NANOS_PER_SECOND;
    double fullRate = FULL_RATE_FRACTION * (measurement.delivered() - deliveredBefore) / seconds;
    allFacts.put("100 % of an open loop", "%,.0f/s".formatted(fullRate));
    for (int percent : RATE_PERCENTAGES) {
      beginRate(fullRate * percent / 100);
      measure("%d %% of the load".formatted(percent));
    }
    beginRate(IDLE_PER_SECOND);
    measure("idle, 10/s");
    restart(
        "bridge", RESTART_RATE_FRACTION * fullRate, () -> restart(lab.bridges().get(0).server()));
    restart("shim", RESTART_RATE_FRACTION * fullRate, this::restartShim);
    measurement.end();
    List<Run> runs = new ArrayList<>(measurement.compare(allFacts));
    for (int i = 1; i < runs.size(); i++) {
      Map<String, Double> figures = restartCounts.get(runs.get(i).variant());
      if (figures != null) {
        runs.set(i, runs.get(i).withFigures(figures).withFigures(restartFigures(i)));
      }
    }
    return List.copyOf(runs);
  }

  private void restartShim() throws LabException, InterruptedException {
    Server listeningShim = lab.nodes().get(0).shim().listeningServer();
    if (listeningShim == null) {
      lab.nodes().get(0).rsyslog().shims().forEach(ProcessHandle::destroy); // rsyslog starts others
    } else {
      restart(listeningShim);
    }
  }

  private static void restart(Server server) throws LabException, InterruptedException {
    server.requestStop();
    server.awaitStop(STOP_TIMEOUT);
    server.start();
  }

  /**
   * Waits until the messages in flight have arrived, and then begins a rate. Otherwise they would
   * count for that rate.
   */
  private void beginRate(double rate) throws LabException, IOException, InterruptedException {
    long allowedMessages = pace.allowed(load.sent()); // No stream has sent more than this.
    pace.set(0, allowedMessages);
    int pauses = 0;
    do {
      measurement.hold(PAUSE, "rest");
      pauses++;
    } while (allowedMessages - measurement.delivered() > MAX_BACKLOG_SECONDS * rate
        && pauses < MAX_PAUSES);
    pace.set(rate, load.sent());
    measurement.warmUp(STEP_WARM_UP);
  }

  private void measure(String variant) throws LabException, IOException, InterruptedException {
    measurement.measure(variant, window, () -> {});
  }

  /** Measures a restart. Records how many possible duplicates the bridges delivered during it. */
  private void restart(String part, double rate, Measurement.Disturbance restart)
      throws LabException, IOException, InterruptedException {
    beginRate(rate);
    measure("before the " + part);
    Map<String, Double> countsBefore = countPossibleDuplicates();
    measurement.measure(part + " restarted", RESTART_WINDOW, restart);
    measurement.hold(
        PAUSE_AFTER_RESTART, "run-out"); // Counting slows down a bridge that has just started.
    Map<String, Double> figures = countPossibleDuplicates();
    Map<String, Double> sums = new LinkedHashMap<>();
    figures.forEach(
        (name, now) -> {
          double previous = countsBefore.getOrDefault(name, 0.0);
          sums.merge(
              name.replaceFirst(".* ", ""), now < previous ? now : now - previous, Double::sum);
        });
    restartCounts.put(part + " restarted", sums);
  }

  /**
   * Returns how long a restart raised the latency compared with the window before it, and the
   * number of duplicates.
   */
  private Map<String, Double> restartFigures(int runIndex) {
    double normal = measurement.windowDeliveries().get(runIndex - 1).latency().p99Millis();
    Deliveries.InWindow during = measurement.windowDeliveries().get(runIndex);
    int secondsAboveLimit =
        secondsAbove(Math.max(NORMAL_FACTOR * normal, NORMAL_MILLIS), during.latencyOfEachSecond());
    return Map.of(
        "s until normal", (double) secondsAboveLimit, "duplicates", (double) during.repeated());
  }

  /** Returns the number of seconds until the 99th percentile of the latency stays below a limit. */
  static int secondsAbove(double limitMillis, List<Latency> seconds) {
    int secondsAboveLimit = seconds.size();
    while (secondsAboveLimit > 0 && seconds.get(secondsAboveLimit - 1).p99Millis() < limitMillis) {
      secondsAboveLimit--;
    }
    return secondsAboveLimit;
  }

  /**
   * Returns how many possible duplicates each bridge delivered since its last start, by the
   * bridge's name and the passage.
   */
  private Map<String, Double> countPossibleDuplicates() throws IOException {
    Map<String, Double> sums = new LinkedHashMap<>();
    for (BridgeProcess bridge : lab.bridges()) {
      String name = bridge.server().name() + " ";
      for (String line : bridge.metrics()) {
        for (String passage : POSSIBLE_DUPLICATE_PASSAGES) {
          if (line.startsWith("duplog_copies_delivered_total{passage=\"" + passage)) {
            sums.merge(name + passage, Double.valueOf(line.replaceAll(".* ", "")), Double::sum);
          }
        }
      }
    }
    return sums;
  }
}
