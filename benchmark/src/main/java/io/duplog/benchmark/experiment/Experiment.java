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
 * Sends a load to running servers, waits until it is delivered, and compares the sent and the
 * delivered messages. A subclass defines the events under the load, and the end of the wait. Not
 * thread-safe.
 */
public abstract class Experiment implements AutoCloseable {
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final List<Path> outputs;
  private @Nullable Load load;
  private @Nullable MergedStream merged;

  /**
   * Creates an experiment without a load.
   *
   * @param outputs files to which the servers write the delivered messages, one line for each
   */
  protected Experiment(List<Path> outputs) {
    this.outputs = outputs;
  }

  /** Starts a load, which {@link #close} closes. */
  public final void start(Load newLoad) throws IOException {
    load = newLoad;
    merged = new MergedStream(outputs, newLoad.messages());
    newLoad.start();
  }

  protected final Load load() {
    return requireNonNull(load, "no load was started");
  }

  protected final MergedStream merged() {
    return requireNonNull(merged, "no load was started");
  }

  /**
   * Lets the load run for a duration, or until all messages are sent.
   *
   * @param phase description of this time, in a word or two
   * @throws IOException if a sender failed
   */
  public final void hold(Duration duration, String phase)
      throws LabException, IOException, InterruptedException {
    long deadline = System.nanoTime() + duration.toNanos();
    long remainingNanos = duration.toNanos();
    for (; remainingNanos > 0 && !load().isOver(); remainingNanos = deadline - System.nanoTime()) {
      TimeUnit.NANOSECONDS.sleep(Math.min(PROGRESS_NANOS, remainingNanos));
      progress(phase);
    }
    if (load().isOver()) {
      load().stop(); // Throws the exception that ended the load, if any.
    }
  }

  /** Waits after the end of the load until all messages that can arrive have arrived. */
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

  /** Called about once a second while this experiment waits. Does nothing by default. */
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

  /** Compares the sent messages with those that were read from the sink so far. */
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
