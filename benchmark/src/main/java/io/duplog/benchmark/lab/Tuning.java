package io.duplog.benchmark.lab;

/**
 * What a lab's programs are told beyond what they need. Each part has its own defaults.
 *
 * @param queues how many share each stream's messages; with as many as there are bridges or more,
 *     they are shared out among the bridges
 */
public record Tuning(RsyslogTuning rsyslog, ShimTuning shim, BridgeTuning bridge, int queues) {

  /** As an operator has it who changes nothing. */
  public static final Tuning NONE =
      new Tuning(RsyslogTuning.NONE, ShimTuning.NONE, BridgeTuning.NONE, 1);

  public Tuning with(RsyslogTuning chosen) {
    return new Tuning(chosen, shim, bridge, queues);
  }

  public Tuning with(ShimTuning chosen) {
    return new Tuning(rsyslog, chosen, bridge, queues);
  }

  public Tuning with(BridgeTuning chosen) {
    return new Tuning(rsyslog, shim, chosen, queues);
  }

  public Tuning withQueues(int number) {
    return new Tuning(rsyslog, shim, bridge, number);
  }

  /** What tells a shim of the queues. */
  Settings shimSettings() {
    return queues == 1
        ? shim.settings()
        : shim.settings().with("broker.queue-count", Integer.toString(queues));
  }

  /** A bridge's, one of so many, which takes its part of the queues. */
  BridgeTuning bridgeAmong(int bridges) {
    return bridges == 1 || queues < bridges
        ? bridge
        : bridge.with("receive.bridges", Lab.bridgeNames(bridges).toString());
  }
}
