package io.duplog.benchmark.scenario;

import com.google.common.collect.Streams;
import io.duplog.benchmark.experiment.Experiment;
import io.duplog.benchmark.lab.CpuAccount;
import io.duplog.benchmark.lab.Role;
import io.duplog.benchmark.lab.TestBed;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Senders;
import io.duplog.benchmark.measure.Deliveries;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures the rate, latency and processor time of a running Duplog, or of an alternative, under a
 * load. It warms up, measures windows of time, and then stops the programs. This ensures that no
 * message is in flight when messages are counted.
 *
 * @see "docs/decisions/benchmark.md#benchmark-load"
 */
final class Measurement extends Experiment {
  private static final double NANOS_PER_MICRO = 1000;
  private static final double MILLIS_PER_SECOND = 1000;

  /** Pause between two checks of whether a warm-up is over. */
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

  private final TestBed testBed;
  private final NumberedLines lines;
  private final Consumer<String> progress;
  private final CpuAccount cpuAccount = new CpuAccount();
  private final List<MeasuredWindow> measuredWindows = new ArrayList<>();
  private List<Deliveries.InWindow> windowDeliveries = List.of();
  private long lastSentShown;
  private long lastDeliveredShown;

  Measurement(TestBed testBed, NumberedLines lines, Consumer<String> progress) {
    super(testBed.outputs());
    this.testBed = testBed;
    this.lines = lines;
    this.progress = progress;
  }

  /**
   * Starts a load, warms up, measures one window, ends the load, and compares.
   *
   * @param load senders that have not been started yet
   * @param variant the run's name in the report
   * @param facts settings of the run; the duration of the warm-up is added
   * @throws LabException if a server failed, so that there is nothing to compare
   */
  Run run(Senders load, String variant, Map<String, String> facts, WarmUp warmUp, Duration window)
      throws LabException, IOException, InterruptedException {
    start(load);
    Map<String, String> allFacts = new LinkedHashMap<>(facts);
    allFacts.put("warm-up", warmUp(warmUp));
    measure(variant, window, () -> {});
    end();
    return compare(allFacts).get(0);
  }

  /** Action on the servers under load, such as a restart. */
  @FunctionalInterface
  interface Disturbance {
    void apply() throws LabException, IOException, InterruptedException;
  }

  /**
   * Measures a window of a running load; {@link #compare} returns its results.
   *
   * @param variant the run's name in the report
   * @param duration how long to measure after the disturbance
   * @param disturbance first action in the window
   */
  void measure(String variant, Duration duration, Disturbance disturbance)
      throws LabException, IOException, InterruptedException {
    Usage usageBefore = usage();
    long from = System.nanoTime();
    disturbance.apply();
    hold(duration, variant);
    Deliveries.Window time = new Deliveries.Window(from, System.nanoTime());
    measuredWindows.add(new MeasuredWindow(variant, time, usage().since(usageBefore)));
  }

  /** A measured window, with the resources that the processes used in it. */
  private record MeasuredWindow(String variant, Deliveries.Window window, Usage usage) {}

  /** Stops the load, and waits until the messages in flight have arrived. */
  void end() throws LabException, IOException, InterruptedException {
    load().stop();
    cpuAccount.look(testBed.processes()); // The shims still run here.
    load().close();
    awaitRest();
  }

  /**
   * Waits under a running load until the JIT compilers settle or the maximum warm-up is over.
   *
   * @return duration of the warm-up, as text
   */
  String warmUp(WarmUp warmUp) throws LabException, IOException, InterruptedException {
    WarmUp.Course course = warmUp.begin(Runtime.getRuntime().availableProcessors());
    long beginNanos = System.nanoTime();
    Duration elapsed = Duration.ZERO;
    while (!course.isOver(
        elapsed, CpuAccount.sum(cpuAccount.compiling(testBed.processes()).values()))) {
      Duration remainingTime = warmUp.maxDuration().minus(elapsed);
      hold(remainingTime.compareTo(CHECK_INTERVAL) < 0 ? remainingTime : CHECK_INTERVAL, "warm-up");
      elapsed = Duration.ofNanos(System.nanoTime() - beginNanos);
    }
    String text =
        "%.0f s, at its end %.1f %% of the processors compiled"
            .formatted(elapsed.toMillis() / MILLIS_PER_SECOND, 100 * course.compilingShare());
    progress.accept("  warm-up: " + text);
    return text;
  }

  /** Returns the deliveries to the sink in each measured window; empty before {@link #compare}. */
  List<Deliveries.InWindow> windowDeliveries() {
    return windowDeliveries;
  }

  /** Returns the window that was measured last. */
  Deliveries.Window window() {
    return measuredWindows.get(measuredWindows.size() - 1).window();
  }

  @Override
  protected void progress(String phase) throws LabException {
    long sent = load().sent();
    long delivered = delivered();
    progress.accept(
        "  sent %,d (+%,d)  delivered %,d (+%,d)  %s"
            .formatted(
                sent, sent - lastSentShown, delivered, delivered - lastDeliveredShown, phase));
    lastSentShown = sent;
    lastDeliveredShown = delivered;
    testBed.requireAlive();
  }

  /** Returns the number of delivered messages. Thread-safe. */
  long delivered() {
    return arrived() / testBed.deliveries();
  }

  /**
   * Returns the number of lines. The number is computed from the files' sizes, so that no file is
   * read.
   */
  @Override
  protected long arrived() {
    return merged().size() / (lines.length() + 1);
  }

  @Override
  protected long missing() {
    return load().sent() * testBed.deliveries() - arrived();
  }

  @Override
  protected long queued() throws IOException {
    return testBed.queued();
  }

  /**
   * Stops the programs under test, and compares the sent messages with the delivered ones.
   *
   * @return a run for each window, in order; their counts are those of the whole load
   */
  List<Run> compare(Map<String, String> facts) throws IOException {
    Map<String, String> allFacts = new LinkedHashMap<>(facts);
    allFacts.put("message", lines.length() + " bytes");
    allFacts.put("seed", Long.toString(lines.seed()));
    testBed
        .stopPrograms()
        .forEach(name -> allFacts.put(name, "did not end by itself with status 0"));
    progress.accept("  counts %,d lines".formatted(arrived()));
    List<Deliveries.Window> windows = measuredWindows.stream().map(MeasuredWindow::window).toList();
    Deliveries read = new Deliveries(windows, load()::dueNanos);
    merged().onArrival(read);
    merged().finish();
    windowDeliveries = read.windows();
    Reconciliation counts = counts();
    return Streams.zip(
            measuredWindows.stream(),
            windowDeliveries.stream(),
            (measured, in) -> run(measured, in, counts, allFacts))
        .toList();
  }

  private static Run run(
      MeasuredWindow measured,
      Deliveries.InWindow windowDeliveries,
      Reconciliation counts,
      Map<String, String> facts) {
    Map<String, String> allFacts = new LinkedHashMap<>(facts);
    allFacts.put("measured", "%.1f s".formatted(measured.window.seconds()));
    Latency latency = windowDeliveries.latency();
    return new Run(
        measured.variant,
        counts,
        windowDeliveries.arrived() / measured.window.seconds(),
        latency.count() == 0 ? null : latency,
        measured.usage.micros(windowDeliveries.arrived()),
        measured.usage.residentBytes(),
        Map.of(Run.COMPILERS, micros(measured.usage.compilers, windowDeliveries.arrived())),
        allFacts);
  }

  private static double micros(Duration time, long messages) {
    return time.toNanos() / NANOS_PER_MICRO / Math.max(1, messages);
  }

  private Usage usage() {
    cpuAccount.look(testBed.processes());
    Map<Role, Duration> compilers = new EnumMap<>(cpuAccount.compiling(testBed.processes()));
    compilers.remove(Role.GENERATOR);
    return new Usage(
        cpuAccount.used(), CpuAccount.sum(compilers.values()), testBed.residentBytes());
  }

  /**
   * Resources that processes have used, by role.
   *
   * @param cpu processor time since the processes started, or between two measurements
   * @param compilers part of that time that Java's compilers took, without the generator's
   * @param resident resident memory in bytes
   */
  private record Usage(Map<Role, Duration> cpu, Duration compilers, Map<Role, Long> resident) {
    Usage since(Usage usageBefore) {
      Map<Role, Duration> usedTime = new EnumMap<>(cpu);
      usageBefore.cpu.forEach((role, time) -> usedTime.merge(role, time, Duration::minus));
      return new Usage(usedTime, compilers.minus(usageBefore.compilers), resident);
    }

    /**
     * Returns microseconds of processor time for each message, by role. Omits roles without any.
     */
    Map<String, Double> micros(long messages) {
      Map<String, Double> micros = new LinkedHashMap<>();
      cpu.forEach((role, time) -> micros.put(role.toString(), Measurement.micros(time, messages)));
      micros.values().removeIf(each -> each <= 0);
      return micros;
    }

    Map<String, Long> residentBytes() {
      Map<String, Long> bytes = new LinkedHashMap<>();
      resident.forEach((role, size) -> bytes.put(role.toString(), size));
      return bytes;
    }
  }
}
