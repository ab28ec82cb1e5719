package io.duplog.benchmark.experiment;

import static java.util.Objects.requireNonNull;

import io.duplog.benchmark.load.Load;
import io.duplog.benchmark.measure.MergedStream;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One load on servers that are ready, from its first message until it is known what became of each.
 * A subclass says what happens under the load, and what is waited for. Used by one thread.
 */
public abstract class Experiment implements AutoCloseable {
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final List<Path> outputs;
  private @Nullable Load load;
  private @Nullable MergedStream merged;

  /**
   * @param outputs files to which the servers write the delivered messages, a line each
   */
  protected Experiment(List<Path> outputs) {
    this.outputs = outputs;
  }

  /** Starts a load, which {@link #close} closes. */
  public final void start(Load begun) throws IOException {
    load = begun;
    merged = new MergedStream(outputs, begun.messages());
    begun.start();
  }

  protected final Load load() {
    return requireNonNull(load, "nothing was started");
  }

  protected final MergedStream merged() {
    return requireNonNull(merged, "nothing was started");
  }

  /**
   * Lets the load run for a while, or until all is sent.
   *
   * @param phase what happens in this while, in a word or two
   * @throws IOException if a sender failed
   */
  public final void hold(Duration duration, String phase)
      throws LabException, IOException, InterruptedException {
    long deadline = System.nanoTime() + duration.toNanos();
    long left = duration.toNanos();
    for (; left > 0 && !load().isOver(); left = deadline - System.nanoTime()) {
      TimeUnit.NANOSECONDS.sleep(Math.min(PROGRESS_NANOS, left));
      progress(phase);
    }
    if (load().isOver()) {
      load().stop(); // throws the exception that ended it
    }
  }

  /** Waits after the end of the load until every message has arrived, or no more will. */
  protected final void awaitRest() throws LabException, IOException, InterruptedException {
    Drain drain = new Drain();
    long shownNanos = System.nanoTime();
    while (!drain.isOver(missing(), arrived(), queued(), System.nanoTime())) {
      TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
      if (System.nanoTime() - shownNanos >= PROGRESS_NANOS) {
        shownNanos = System.nanoTime();
        progress("the rest");
      }
    }
  }

  /** Called about once a second while this experiment waits; does nothing by default. */
  protected void progress(String phase) throws LabException, IOException {}

  /** Returns how many messages of a load that has ended have not arrived; none if negative. */
  protected long missing() throws IOException {
    merged().read();
    return counts().lost();
  }

  /** Returns the number of lines in the sink. */
  protected long arrived() throws IOException {
    return merged().read();
  }

  /** Returns the number of batches that wait in the brokers' queues. */
  protected abstract long queued() throws LabException, IOException, InterruptedException;

  /** Compares what was sent with what was read from the sink so far. */
  protected final Reconciliation counts() {
    return Reconciliation.of(load().record(), merged().tally());
  }

  @Override
  public void close() throws IOException {
    if (merged != null) {
      merged.close();
    }
    if (load != null) {
      load.close();
    }
  }
}
