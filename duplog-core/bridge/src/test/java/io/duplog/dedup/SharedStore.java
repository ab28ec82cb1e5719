package io.duplog.dedup;

import java.time.Duration;
import java.util.List;

/** What several bridges share, wherever that is; empty when a test begins. */
public interface SharedStore {

  /** A bridge's view of it, which has no lease yet. */
  Ledger open(String bridge, List<String> streams, Duration lease);

  /** An operator removes a stream. */
  void remove(String stream) throws Exception;

  /** How many digests are remembered. */
  int remembered();

  /** Its clock is set forward, or back. */
  void pass(Duration time);

  /** All digests go before their time, as if the store had no room for them. */
  void forgetDigests();

  /** As after a restart of Redis. */
  void forgetAll();
}
