package io.duplog.benchmark.lab;

/** What a lab's programs are told beyond what they need. Each part has its own defaults. */
public record Tuning(RsyslogTuning rsyslog, ShimTuning shim, BridgeTuning bridge) {

  /** As an operator has it who changes nothing. */
  public static final Tuning NONE =
      new Tuning(RsyslogTuning.NONE, ShimTuning.NONE, BridgeTuning.NONE);

  public Tuning with(RsyslogTuning chosen) {
    return new Tuning(chosen, shim, bridge);
  }

  public Tuning with(ShimTuning chosen) {
    return new Tuning(rsyslog, chosen, bridge);
  }

  public Tuning with(BridgeTuning chosen) {
    return new Tuning(rsyslog, shim, chosen);
  }
}
