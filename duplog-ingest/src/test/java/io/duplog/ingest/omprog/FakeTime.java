package io.duplog.ingest.omprog;

/** Time that passes only when someone sleeps. */
final class FakeTime implements Time {
  private long nanos = 1_000_000_007L;

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public long millis() {
    return nanos / 1_000_000;
  }

  @Override
  public void sleep(long nanos) {
    this.nanos += nanos;
  }
}
