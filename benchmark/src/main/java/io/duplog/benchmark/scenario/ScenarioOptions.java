package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.LabException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every scenario's command takes. */
public final class ScenarioOptions {
  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each run is measured (default: as long as the scenario needs).")
  private @Nullable Integer seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "120",
      description =
          "Seconds under load before that, at most: it ends once the programs have compiled their"
              + " code, after 8 at the earliest (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "What random choices begin with (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results there too.")
  private @Nullable Path json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "benchmark-report",
      description = "For the report and its pictures (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("benchmark-report");

  @Option(
      names = "--shim-jar",
      paramLabel = "FILE",
      description = "Another build's duplog-ingest.jar (default: this build's).")
  private @Nullable Path shimJar;

  @Option(
      names = "--bridge-jar",
      paramLabel = "FILE",
      description = "Another build's duplog.jar (default: this build's).")
  private @Nullable Path bridgeJar;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only the runs whose name contains this.")
  private String only = "";

  @Option(
      names = "--keep",
      description =
          "Beside the runs that are made now, keep the others of an earlier report in --out.")
  private boolean keep;

  /**
   * How long each run is measured.
   *
   * @param otherwise in seconds, where the command line does not say
   */
  Duration window(int otherwise) {
    return Duration.ofSeconds(seconds == null ? otherwise : seconds);
  }

  WarmUp warmUp() {
    return WarmUp.upTo(Duration.ofSeconds(warmUp));
  }

  long seed() {
    return seed;
  }

  @Nullable Path json() {
    return json;
  }

  Path out() {
    return out;
  }

  /** Whether an earlier report's other runs stay. */
  boolean keep() {
    return keep;
  }

  /** A part of the names of the runs that are asked for; empty for all. */
  String only() {
    return only;
  }

  boolean wants(String variant) {
    return variant.contains(only);
  }

  LabJars jars() throws LabException {
    return LabJars.of(bridgeJar, shimJar);
  }
}
