package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import java.nio.file.Path;

/**
 * Plans labs for tests that count duplicates, so that a slow machine on which Redis is delayed
 * causes none.
 */
public final class TestPlans {
  public static final Tuning PATIENT = Tuning.NONE.withBridge("dedup.redis.timeout", "8s");

  private TestPlans() {}

  /** Returns the plan of a pair of this build. */
  public static LabPlan pair(Path folder) throws LabException {
    return LabPlan.pair(folder, LabJars.ofThisBuild()).withTuning(PATIENT);
  }
}
