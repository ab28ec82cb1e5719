package io.duplog.pipeline;

import io.duplog.observe.StreamCounters;
import java.util.function.BooleanSupplier;

/** A delivery whose end is counted. */
record CountedOrigin(StreamCounters counts, BooleanSupplier lost, Runnable settled, Runnable over)
    implements Origin {
  @Override
  public boolean isLost() {
    return lost.getAsBoolean();
  }

  @Override
  public void settle(int dropped, int repeated) {
    counts.dropped.add(dropped);
    counts.repeated.add(repeated);
    settled.run();
  }

  @Override
  public void forget(int givenBack) {
    counts.givenBack.add(givenBack);
    over.run();
  }
}
