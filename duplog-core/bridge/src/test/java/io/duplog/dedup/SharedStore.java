package io.duplog.dedup;

import java.time.Duration;
import java.util.List;

/** A store that several bridges share in a test, of any kind: Redis or memory. */
public interface SharedStore {

  /** Opens a bridge's view of the store, which has no lease yet. */
  Ledger open(String bridge, List<String> streams, Duration lease);

  /** Removes a stream, as an operator does. */
  void remove(String stream) throws Exception;

  /** Returns how many digests are remembered. */
  int remembered();

  /** Sets the store's clock forward, or back. */
  void pass(Duration time);

  /** Removes all digests before their time, as if the store had no room for them. */
  void forgetDigests();

  /** Removes everything, as a restart of Redis does. */
  void forgetAll();
}
