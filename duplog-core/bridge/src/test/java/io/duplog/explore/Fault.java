package io.duplog.explore;

/**
 * A fault that may happen at any moment in a test that tries every order of events, such as the
 * death of a bridge.
 */
enum Fault {
  /** A bridge's process dies. */
  BRIDGE_DIES(true),
  /** A bridge is taken for dead, and continues later. */
  BRIDGE_HANGS(true),
  /** A bridge's sink accepts nothing for longer than the hold limit. */
  SINK_STALLS(true),
  /** A bridge's sink is unavailable for so long that it gives back to the brokers what it holds. */
  SINK_AWAY(true),
  /** Broker, disk and bridge of one host are permanently lost. */
  HOST_LOST(true),
  /** A channel breaks, and its unacknowledged deliveries come again. */
  CHANNEL_LOST(false),
  /** A publisher repeats a batch under the same id, because it never saw the confirm. */
  BATCH_REPEATED(false),
  REDIS_FLUSHED(true),
  /** Redis restarts with an older snapshot. The snapshot and the restart are two steps. */
  REDIS_RESTORED(true),
  REDIS_AWAY(true),
  /** One bridge can't reach Redis, while the others can. */
  REDIS_CUT_OFF(true),
  /**
   * A replica is promoted, with whatever it has of the counts, under another epoch. Each bridge
   * follows when it notices: first where it settles, then where it judges. The deposed server
   * answers the bridge until then.
   */
  FAILED_OVER(true),
  DIGEST_EVICTED(true),
  /** The digests of half a window are evicted at once, because they share a hash. */
  DIGEST_HASH_EVICTED(true),
  DELIVERED_RECORD_EVICTED(true),
  DELIVERED_HASH_EVICTED(true),
  /** A whole window passes between two steps. */
  WINDOW_PASSES(true),
  /** The server's clock is set forward, by more than a lease. */
  CLOCK_FORWARD(false),
  /** The server's clock is set back. */
  CLOCK_BACK(true),
  /** Redis executes a judgement, and the answer is lost. */
  JUDGEMENT_ANSWER_LOST(true),
  /** Redis executes an advance, and the answer is lost. */
  ADVANCE_ANSWER_LOST(true),
  /** A bridge gives up a judgement, which Redis executes at any later time. */
  JUDGEMENT_DELAYED(true),
  /** A pending record is evicted, which volatile-ttl prevents; this shows why that is needed. */
  PENDING_RECORD_EVICTED(true);

  /** Whether docs/guarantees.md lists the fault as a cause of duplicates. */
  final boolean licensesDuplicates;

  Fault(boolean licensesDuplicates) {
    this.licensesDuplicates = licensesDuplicates;
  }
}
