package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.report.Row;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** One fault after the other. */
final class ChaosRun {
  private final Trial.Terms terms;
  private final Output output;
  private final Stage stage;

  ChaosRun(LabJars jars, Trial.Terms terms, Output output) {
    this.terms = terms;
    this.output = output;
    this.stage = new Stage(output.labs(), jars);
  }

  /**
   * Returns a row for each fault that could be caused.
   *
   * @throws LabException if no lab can be started
   */
  List<Row> run(List<Fault> faults) throws LabException, IOException, InterruptedException {
    output.begin();
    Thread hook = new Thread(this::closeStage, "cleanup");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      for (Fault fault : faults) {
        run(fault);
      }
    } finally {
      closeStage();
    }
    Runtime.getRuntime().removeShutdownHook(hook);
    return output.rows();
  }

  private void run(Fault fault) throws LabException, IOException, InterruptedException {
    String obstacle = Stage.obstacle(fault.setup());
    if (obstacle != null) {
      output.skipped(fault, obstacle);
      return;
    }
    output.announce(fault, fault.duplicates().at(terms.rate()));
    Lab lab = stage.labFor(fault.setup());
    Row row = new Trial(lab, fault, terms).run();
    output.add(row);
    if (!row.hasPassed()) {
      output.say("  logs: " + stage.strike(true));
    }
  }

  private void closeStage() {
    try {
      stage.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
