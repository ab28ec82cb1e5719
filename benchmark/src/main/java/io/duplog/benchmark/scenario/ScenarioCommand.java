package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.report.ScenarioJson;
import io.duplog.benchmark.report.ScenarioReport;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What all scenarios have in common: options in, a report out. Exit status 0, or 1 where a message
 * was lost or altered or a server failed, or 2 where the command line asks for no run that there
 * is.
 */
abstract class ScenarioCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private ScenarioOptions options = new ScenarioOptions();

  /** The names of the runs that the command line does not ask for. */
  private final Set<String> refused = new LinkedHashSet<>();

  /** Does all runs. */
  abstract ScenarioReport measure(Bench bench)
      throws LabException, IOException, InterruptedException;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    try {
      ScenarioReport report = measure(new Bench(options.jars(), options.out(), this::say));
      if (report.runs().isEmpty()) {
        throw new ParameterException(
            spec().commandLine(),
            "no run is called '%s', there are %s".formatted(options.only(), refused));
      }
      say(report.summary());
      if (options.keep()) {
        report = report.besideThoseOf(options.out());
      }
      say("report: " + report.write(options.out()));
      Path json = options.json();
      if (json != null) {
        ScenarioJson.write(json, report);
      }
      return report.isWhole() ? 0 : FAILED;
    } catch (LabException e) {
      PrintWriter err = spec().commandLine().getErr();
      err.println(spec().name() + ": " + e.getMessage());
      err.flush();
      return FAILED;
    }
  }

  /**
   * What the machine sustains in an open loop, in messages a second: what the other runs are
   * measured by.
   */
  final double sustainedRate(Bench bench, SyslogPair pair, NumberedLines lines)
      throws LabException, IOException, InterruptedException {
    say("what the machine sustains in an open loop");
    return pair.sustainedRate(bench, lines, options.warmUp(), this::say);
  }

  final ScenarioOptions options() {
    return options;
  }

  /** Whether the command line asks for a run of this name. */
  final boolean wants(String variant) {
    boolean wanted = options.wants(variant);
    if (!wanted) {
      refused.add(variant);
    }
    return wanted;
  }

  final void say(String line) {
    PrintWriter out = spec().commandLine().getOut();
    out.println(line);
    out.flush();
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return spec;
  }
}
