package io.duplog.simulate;

/** What may go wrong in a run, for a while or at once. */
enum Fault {
  /** All connections of a broker break; it is there again at once. */
  BROKER_RESETS(Costs.DELAY),
  BROKER_VANISHES(Costs.DELAY),
  /** No packet gets to a broker or back. */
  BROKER_SILENT(Costs.DELAY),
  /** A broker's alarm: it takes nothing from publishers. */
  BROKER_BLOCKED(Costs.NOTHING),
  /** A broker confirms, and the connection breaks before that is known. */
  CONFIRM_LOST(Costs.NOTHING),
  /** The dead-letter queues have reached their length limit. */
  DEAD_LETTERS_FULL(Costs.NOTHING),
  /** Broker, disk and bridge of one host are gone for good. */
  HOST_BURNS(Costs.DELAY_AND_DUPLICATES),
  /** The shim sends a batch again under its id. */
  BATCH_REPEATED(Costs.NOTHING),
  /** Rsyslog sends again what it had sent, as another batch. */
  BATCH_SENT_ANEW(Costs.NOTHING),
  COLLECTOR_REFUSES(Costs.DELAY),
  COLLECTOR_RESETS(Costs.DELAY),
  COLLECTOR_SILENT(Costs.DELAY),
  COLLECTOR_SLOW(Costs.DELAY),
  /** It answers 503 to everything. */
  COLLECTOR_BUSY(Costs.DELAY),
  /** It answers 503 to events, and is well otherwise. */
  INDEX_BUSY(Costs.DELAY),
  /** It wants to be asked again later, and says when. */
  COLLECTOR_SHEDS(Costs.DELAY),
  /** A status that somebody has to do something about; the answer may have no body at all. */
  COLLECTOR_MISCONFIGURED(Costs.DELAY),
  /** It indexes, and the answer is lost, or a half of it. */
  ANSWER_LOST(Costs.DELAY_AND_DUPLICATES),
  /** Indexed, and never acknowledged. */
  ACKNOWLEDGEMENT_LOST(Costs.DELAY_AND_DUPLICATES),
  ACKNOWLEDGEMENT_LATE(Costs.DELAY),
  /** A load balancer spreads a channel over two indexers. */
  ACKNOWLEDGEMENT_OF_ANOTHER(Costs.DELAY_AND_DUPLICATES),
  /** Received, never indexed and never acknowledged. */
  INDEXER_CRASHES(Costs.DELAY_AND_DUPLICATES),
  REDIS_AWAY(Costs.DELAY_AND_DUPLICATES),
  REDIS_SILENT(Costs.DELAY_AND_DUPLICATES),
  REDIS_ANSWER_LOST(Costs.DELAY_AND_DUPLICATES),
  REDIS_RESTARTS(Costs.DELAY_AND_DUPLICATES),
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

  /** Whether docs/guarantees.md lists it as a cause of duplicates. */
  boolean licensesDuplicates() {
    return costs == Costs.DELAY_AND_DUPLICATES;
  }

  /** Whether good messages may have to wait until it is over. */
  boolean delays() {
    return costs != Costs.NOTHING;
  }

  /** Whether it needs a sink that waits for the indexers' acknowledgement. */
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

  /** Whether it has no duration. */
  boolean isSudden() {
    return switch (this) {
      case BROKER_RESETS, HOST_BURNS, BATCH_REPEATED, BATCH_SENT_ANEW, REDIS_RESTARTS -> true;
      case REDIS_CLOCK_BACK, REDIS_CLOCK_FORWARD -> true;
      default -> false;
    };
  }
}
