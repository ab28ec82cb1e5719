package io.duplog.benchmark.plan;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run that a scenario has measured, read from its JSON.
 *
 * @param name scenario and variant
 * @param sent messages
 * @param copies that were sent of them
 * @param rate messages a second
 * @param paced whether the load kept to a schedule, so that its rate says nothing of the machine
 * @param machineCores of the machine
 * @param facts its configuration
 * @param cpuMicros by process: a message
 * @param residentBytes by process: all of that kind together
 * @param figures what else was measured
 */
record RecordedRun(
    String name,
    double sent,
    double copies,
    double rate,
    boolean paced,
    double machineCores,
    Map<String, String> facts,
    Map<String, Double> cpuMicros,
    Map<String, Double> residentBytes,
    Map<String, Double> figures) {

  /** Below this share of the processors a run was not at the machine's limit. */
  static final double AT_ITS_LIMIT = 0.8;

  /** Above these per cent of the processors, compilers take a part in what a message costs. */
  private static final double COMPILING = 5;

  private static final Pattern COMPILED = Pattern.compile("([0-9.]+) % of the processors compiled");

  private static final double MICROS_A_SECOND = 1e6;
  private static final String GENERATOR = Station.GENERATOR.toString();

  RecordedRun {
    facts = new LinkedHashMap<>(facts);
    cpuMicros = new LinkedHashMap<>(cpuMicros);
    residentBytes = new LinkedHashMap<>(residentBytes);
    figures = new LinkedHashMap<>(figures);
  }

  static RecordedRun of(Members run, double machineCores) throws IOException {
    return new RecordedRun(
        run.text("scenario") + ": " + run.text("variant"),
        run.number("sent"),
        run.number("copies"),
        run.number("rate"),
        run.has("latency_ms"),
        machineCores,
        run.object("configuration").texts(),
        run.object("cpu_us_per_message").numbers(),
        run.object("resident_bytes").numbers(),
        run.has("figures") ? run.object("figures").numbers() : Map.of());
  }

  /** What one run's name and count tell it from all others by. */
  String identity() {
    return name + ", " + (long) sent + " sent";
  }

  private String fact(String name) {
    return facts.getOrDefault(name, "");
  }

  /** How many of something there were; 1 where the run does not say. */
  double number(String fact) {
    String text = fact(fact);
    return text.matches("\\d+") ? Double.parseDouble(text) : 1;
  }

  /**
   * @throws IllegalStateException where the run does not say how long its messages are
   */
  Traffic traffic() {
    String bytes = fact("message").replaceFirst(" bytes.*", "");
    if (!bytes.matches("\\d+")) {
      throw new IllegalStateException(name + " does not say how long its messages are");
    }
    double each = copies / sent;
    return new Traffic(Double.parseDouble(bytes), each, each > 1 ? 0 : each);
  }

  /** Whether it is the way that is planned: rsyslog, confirming shims, bridges, HEC. */
  boolean isJourney() {
    return fact("omprog").equals("confirmed")
        && fact("sink").startsWith("HEC")
        && !name.contains("loggen");
  }

  /** Whether the servers had less than the machine. */
  boolean isHeld() {
    return fact("cores").matches("[0-9.]+");
  }

  /** Whether Java's compilers had come to rest before it was measured, as far as it says. */
  boolean isWarm() {
    Matcher share = COMPILED.matcher(fact("warm-up"));
    return !share.find() || Double.parseDouble(share.group(1)) < COMPILING;
  }

  /** What the servers had of the processors; the generator has more where they are held. */
  double cores() {
    return isHeld() ? Double.parseDouble(fact("cores")) : machineCores;
  }

  /** Processor time a message of everything but the load. */
  double serverMicros() {
    return cpuMicros.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(GENERATOR))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** Processor time a message of all that had to share {@link #cores()}. */
  double sharedMicros() {
    return serverMicros() + (isHeld() ? 0 : cpuMicros.getOrDefault(GENERATOR, 0.0));
  }

  /** The share of {@link #cores()} that was used. */
  double busy() {
    return rate * sharedMicros() / MICROS_A_SECOND / cores();
  }
}
