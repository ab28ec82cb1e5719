package io.duplog.pipeline;

/** Lets the explorer, which lives elsewhere, look into a settler. */
public final class SettlerProbe {
  private SettlerProbe() {}

  public static String fingerprint(Settler settler) {
    return settler.fingerprint();
  }

  public static boolean isUnjudged(InFlightBatch inFlight) {
    return inFlight.phase() == InFlightBatch.Phase.UNJUDGED;
  }
}
