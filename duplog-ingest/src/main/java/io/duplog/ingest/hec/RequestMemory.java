package io.duplog.ingest.hec;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a request takes of the limit for all requests: for its body, and later for its
 * events. Thread-safe.
 */
final class RequestMemory {
  /**
   * Minimum of the limit for all requests, as a multiple of the largest body: packed and unpacked.
   */
  static final long MIN_BODIES = 6;

  /** Bytes of memory for each byte that is gathered: a buffer that doubles, and its copy. */
  private static final long FACTOR = 3;

  private final AtomicLong usedByAll;
  private final long limitOfAll;
  private final AtomicLong used = new AtomicLong();

  RequestMemory(AtomicLong usedByAll, long limitOfAll) {
    this.usedByAll = usedByAll;
    this.limitOfAll = limitOfAll;
  }

  /** Takes memory for gathered bytes. Returns the answer to the request if there is too little. */
  @Nullable Answer take(long gatheredBytes) {
    long own = used.addAndGet(FACTOR * gatheredBytes);
    if (usedByAll.addAndGet(FACTOR * gatheredBytes) <= limitOfAll) {
      return null;
    }
    return own > limitOfAll ? Answer.TOO_LARGE : Answer.SERVER_BUSY;
  }

  /** Gives back the memory for gathered bytes. */
  void give(long gatheredBytes) {
    used.addAndGet(-FACTOR * gatheredBytes);
    usedByAll.addAndGet(-FACTOR * gatheredBytes);
  }

  /** Called when the request has ended. */
  void giveAll() {
    usedByAll.addAndGet(-used.getAndSet(0));
  }
}
