package io.duplog.simulate;

/** A fault that a simulated run may cause, such as a broker that loses its connections. */
enum Fault {
  /** All connections of a broker break, and the broker is back at once. */
  BROKER_RESETS(Costs.DELAY),
  BROKER_VANISHES(Costs.DELAY),
  /** No packet reaches a broker, or leaves it. */
  BROKER_SILENT(Costs.DELAY),
  /** A broker has an alarm, so it accepts no publication. */
  BROKER_BLOCKED(Costs.NOTHING),
  /** A broker confirms, and the connection breaks before the confirm arrives. */
  CONFIRM_LOST(Costs.NOTHING),
  /** The dead-letter queues have reached their length limit. */
  DEAD_LETTERS_FULL(Costs.NOTHING),
  /** Broker, disk and bridge of one host are permanently lost. */
  HOST_BURNS(Costs.DELAY_AND_DUPLICATES),
  /** The shim sends a batch again under the same id. */
  BATCH_REPEATED(Costs.NOTHING),
  /** Rsyslog sends messages again, as another batch. */
  BATCH_SENT_ANEW(Costs.NOTHING),
  COLLECTOR_REFUSES(Costs.DELAY),
  COLLECTOR_RESETS(Costs.DELAY),
  COLLECTOR_SILENT(Costs.DELAY),
  COLLECTOR_SLOW(Costs.DELAY),
  /** The collector answers 503 to every request. */
  COLLECTOR_BUSY(Costs.DELAY),
  /** The collector answers 503 to events, and works otherwise. */
  INDEX_BUSY(Costs.DELAY),
  /** The collector wants to be asked again later, and says when. */
  COLLECTOR_SHEDS(Costs.DELAY),
  /**
   * The collector answers with a status that an administrator must do something about, perhaps
   * without a body.
   */
  COLLECTOR_MISCONFIGURED(Costs.DELAY),
  /** The collector indexes events, but its answer is lost or cut in half. */
  ANSWER_LOST(Costs.DELAY_AND_DUPLICATES),
  /** An indexer indexes events, and never acknowledges them. */
  ACKNOWLEDGEMENT_LOST(Costs.DELAY_AND_DUPLICATES),
  ACKNOWLEDGEMENT_LATE(Costs.DELAY),
  /** A load balancer spreads a channel over two indexers. */
  ACKNOWLEDGEMENT_OF_ANOTHER(Costs.DELAY_AND_DUPLICATES),
  /** An indexer receives events, but never indexes or acknowledges them. */
  INDEXER_CRASHES(Costs.DELAY_AND_DUPLICATES),
  REDIS_AWAY(Costs.DELAY_AND_DUPLICATES),
  REDIS_SILENT(Costs.DELAY_AND_DUPLICATES),
  REDIS_ANSWER_LOST(Costs.DELAY_AND_DUPLICATES),
  REDIS_RESTARTS(Costs.DELAY_AND_DUPLICATES),
  /** Redis has no room for digests, so that it forgets all that it has. */
  REDIS_EVICTS(Costs.DELAY_AND_DUPLICATES),
  REDIS_CLOCK_BACK(Costs.DELAY_AND_DUPLICATES),
  REDIS_CLOCK_FORWARD(Costs.DELAY_AND_DUPLICATES),
  /** A bridge's process dies, and starts again later. */
  BRIDGE_DIES(Costs.DELAY_AND_DUPLICATES),
  BRIDGE_HANGS(Costs.DELAY_AND_DUPLICATES);

  private enum Costs {
    NOTHING,
    DELAY,
    DELAY_AND_DUPLICATES
  }

  private final Costs costs;

  Fault(Costs costs) {
    this.costs = costs;
  }

  /** Whether docs/guarantees.md lists the fault as a cause of duplicates. */
  boolean licensesDuplicates() {
    return costs == Costs.DELAY_AND_DUPLICATES;
  }

  /** Whether good messages may have to wait until the fault is over. */
  boolean delays() {
    return costs != Costs.NOTHING;
  }

  /** Whether the fault needs a sink that waits for the indexers' acknowledgements. */
  boolean concernsAcknowledgement() {
    return name().startsWith("ACKNOWLEDGEMENT") || this == INDEXER_CRASHES;
  }

  boolean concernsCollector() {
    return name().startsWith("COLLECTOR")
        || this == INDEX_BUSY
        || this == ANSWER_LOST
        || concernsAcknowledgement();
  }

  boolean concernsBridge() {
    return name().startsWith("BRIDGE") || this == HOST_BURNS;
  }

  /** Whether the fault happens at once and has no duration. */
  boolean isSudden() {
    return switch (this) {
      case BROKER_RESETS, HOST_BURNS, BATCH_REPEATED, BATCH_SENT_ANEW, REDIS_RESTARTS -> true;
      case REDIS_EVICTS, REDIS_CLOCK_BACK, REDIS_CLOCK_FORWARD -> true;
      default -> false;
    };
  }
}
