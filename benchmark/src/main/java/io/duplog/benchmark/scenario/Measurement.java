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
 * Measures a load: warms up, measures windows of time, and then stops the programs, so that nothing
 * is under way when messages are counted.
 *
 * @see "docs/decisions/benchmark.md#benchmark-load"
 */
final class Measurement extends Experiment {
  private static final double NANOS_A_MICRO = 1000;
  private static final double MILLIS_A_SECOND = 1000;

  /** Pause between two checks of whether a warm-up is over. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final TestBed bed;
  private final NumberedLines lines;
  private final Consumer<String> progress;
  private final CpuAccount account = new CpuAccount();
  private final List<Part> parts = new ArrayList<>();
  private List<Deliveries.InWindow> found = List.of();
  private long shownSent;
  private long shownDelivered;

  Measurement(TestBed bed, NumberedLines lines, Consumer<String> progress) {
    super(bed.outputs());
    this.bed = bed;
    this.lines = lines;
    this.progress = progress;
  }

  /**
   * Starts a load, warms up, measures one window, ends the load, and compares.
   *
   * @param load senders that are not started yet
   * @param variant the run's name in the report
   * @param facts settings of the run; how long the warm-up took is added
   * @throws LabException if a server failed, so that there is nothing to compare
   */
  Run run(Senders load, String variant, Map<String, String> facts, WarmUp warmUp, Duration window)
      throws LabException, IOException, InterruptedException {
    start(load);
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.put("warm-up", warmUp(warmUp));
    measure(variant, window, () -> {});
    end();
    return compare(all).get(0);
  }

  /** Action on the servers under load, such as a restart. */
  @FunctionalInterface
  interface Disturbance {
    void happen() throws LabException, IOException, InterruptedException;
  }

  /**
   * Measures a window of a running load; {@link #compare} returns its results.
   *
   * @param variant the run's name in the report
   * @param duration how long to measure after the disturbance
   * @param disturbance what is done first, as a part of the window
   */
  void measure(String variant, Duration duration, Disturbance disturbance)
      throws LabException, IOException, InterruptedException {
    Usage before = usage();
    long from = System.nanoTime();
    disturbance.happen();
    hold(duration, variant);
    Deliveries.Window time = new Deliveries.Window(from, System.nanoTime());
    parts.add(new Part(variant, time, usage().since(before)));
  }

  /** A measured window, and the resources that the processes used in it. */
  private record Part(String variant, Deliveries.Window window, Usage usage) {}

  /** Stops the load, and waits until the messages under way have arrived. */
  void end() throws LabException, IOException, InterruptedException {
    load().stop();
    account.look(bed.processes()); // while the shims still run
    load().close();
    awaitRest();
  }

  /**
   * Waits under a running load until the programs' code is compiled, or the warm-up's bound is
   * reached.
   *
   * @return how long that took, in words
   */
  String warmUp(WarmUp warmUp) throws LabException, IOException, InterruptedException {
    WarmUp.Course course = warmUp.begin(Runtime.getRuntime().availableProcessors());
    long begun = System.nanoTime();
    Duration elapsed = Duration.ZERO;
    while (!course.isOver(elapsed, CpuAccount.sum(account.compiling(bed.processes()).values()))) {
      Duration left = warmUp.atMost().minus(elapsed);
      hold(left.compareTo(LOOK) < 0 ? left : LOOK, "warm-up");
      elapsed = Duration.ofNanos(System.nanoTime() - begun);
    }
    String words =
        "%.0f s, at its end %.1f %% of the processors compiled"
            .formatted(elapsed.toMillis() / MILLIS_A_SECOND, 100 * course.share());
    progress.accept("  warm-up: " + words);
    return words;
  }

  /** Returns the deliveries to the sink in each measured window; empty before {@link #compare}. */
  List<Deliveries.InWindow> found() {
    return found;
  }

  /** Returns the window that was measured last. */
  Deliveries.Window window() {
    return parts.get(parts.size() - 1).window();
  }

  @Override
  protected void progress(String phase) throws LabException {
    long sent = load().sent();
    long delivered = delivered();
    progress.accept(
        "  sent %,d (+%,d)  delivered %,d (+%,d)  %s"
            .formatted(sent, sent - shownSent, delivered, delivered - shownDelivered, phase));
    shownSent = sent;
    shownDelivered = delivered;
    bed.requireAlive();
  }

  /** Returns how many messages were delivered; may be called by any thread. */
  long delivered() {
    return arrived() / bed.deliveries();
  }

  /** Returns the number of lines as the files' sizes tell it, so that nothing has to be read. */
  @Override
  protected long arrived() {
    return merged().size() / (lines.length() + 1);
  }

  @Override
  protected long missing() {
    return load().sent() * bed.deliveries() - arrived();
  }

  @Override
  protected long queued() throws IOException {
    return bed.queued();
  }

  /**
   * Stops the programs under test, and compares what was sent with what was delivered.
   *
   * @return a run for each window, in order; their counts are those of the whole load
   */
  List<Run> compare(Map<String, String> facts) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.put("message", lines.length() + " bytes");
    all.put("seed", Long.toString(lines.seed()));
    bed.stopPrograms().forEach(name -> all.put(name, "did not end by itself with status 0"));
    progress.accept("  counts %,d lines".formatted(arrived()));
    List<Deliveries.Window> windows = parts.stream().map(Part::window).toList();
    Deliveries read = new Deliveries(windows, load()::dueNanos);
    merged().onArrival(read);
    merged().finish();
    found = read.windows();
    Reconciliation counts = counts();
    return Streams.zip(parts.stream(), found.stream(), (part, in) -> run(part, in, counts, all))
        .toList();
  }

  private static Run run(
      Part part, Deliveries.InWindow found, Reconciliation counts, Map<String, String> facts) {
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.put("measured", "%.1f s".formatted(part.window.seconds()));
    Latency latency = found.latency();
    return new Run(
        part.variant,
        counts,
        found.arrived() / part.window.seconds(),
        latency.count() == 0 ? null : latency,
        part.usage.micros(found.arrived()),
        part.usage.residentBytes(),
        Map.of(Run.COMPILERS, micros(part.usage.compilers, found.arrived())),
        all);
  }

  private static double micros(Duration time, long messages) {
    return time.toNanos() / NANOS_A_MICRO / Math.max(1, messages);
  }

  private Usage usage() {
    account.look(bed.processes());
    Map<Role, Duration> compilers = new EnumMap<>(account.compiling(bed.processes()));
    compilers.remove(Role.GENERATOR);
    return new Usage(account.used(), CpuAccount.sum(compilers.values()), bed.residentBytes());
  }

  /**
   * Resources that processes have used, by role.
   *
   * @param cpu processor time since the processes started, or between two measurements
   * @param compilers part of that time that Java's compilers took, without the generator's
   * @param resident resident memory in bytes
   */
  private record Usage(Map<Role, Duration> cpu, Duration compilers, Map<Role, Long> resident) {
    Usage since(Usage before) {
      Map<Role, Duration> used = new EnumMap<>(cpu);
      before.cpu.forEach((role, time) -> used.merge(role, time, Duration::minus));
      return new Usage(used, compilers.minus(before.compilers), resident);
    }

    /**
     * Returns microseconds of processor time for each message, by role; roles without any are left
     * out.
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
