package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Scene;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.UdpOutlet;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.measure.Tally;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The steady load of a row, by UDP to both ingest nodes, and what it has sent.
 *
 * <p>UDP, because its sender goes on at the same pace whatever happens to a receiver, as those of
 * most sites do. What a dead rsyslog never got is then a copy that one stream lacks. So a node that
 * a fault strikes is also the only one from which copies are withheld at random, and the other one
 * gets each message: that its kernel dropped none is looked up in the end.
 */
final class Load implements Scene.Load, AutoCloseable {
  private static final Duration LONGEST = Duration.ofHours(2);
  private static final double WITHHELD_PERCENT = 4;
  private static final double REPEAT_PERCENT = 3;

  private final List<Tally> promisedCopies;
  private final List<Tally> possibleCopies;
  private final UdpOutlet udp;
  private final RedundantSender sender;
  private final SplittableRandom random;
  private @Nullable Future<?> sending;
  private volatile boolean promised = true;

  /**
   * @param receivers the rsyslogs
   * @param firstOnly whether copies may be withheld from the first receiver only
   * @param arrivals told what is sent
   */
  Load(List<InetSocketAddress> receivers, int rate, long seed, boolean firstOnly, Arrivals arrivals)
      throws IOException {
    promisedCopies = tallies(receivers.size());
    possibleCopies = tallies(receivers.size());
    udp = new UdpOutlet(receivers);
    random = new SplittableRandom(seed);
    LoadPlan plan =
        new LoadPlan(
            rate,
            LONGEST,
            receivers.size(),
            firstOnly ? 0 : WITHHELD_PERCENT,
            REPEAT_PERCENT,
            seed);
    sender =
        new RedundantSender(
            plan,
            (stream, bytes, length) -> {
              if (firstOnly && stream == 0 && random.nextDouble() * 100 < WITHHELD_PERCENT) {
                return;
              }
              List<Tally> tallies = promised ? promisedCopies : possibleCopies;
              long identity = tallies.get(stream).add(bytes, 0, length);
              arrivals.sent(identity, System.nanoTime());
              udp.send(stream, bytes, length);
            });
  }

  private static List<Tally> tallies(int count) {
    return Stream.generate(Tally::new).limit(count).toList();
  }

  void start() {
    sending = sender.start();
  }

  @Override
  public void promised(boolean isPromised) {
    promised = isPromised;
  }

  /** Sends nothing more. */
  void stop() throws IOException, InterruptedException {
    sender.stop();
    try {
      if (sending != null) {
        sending.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("the sender failed: " + e.getCause(), e);
    }
  }

  /** Compares with what was delivered; only when the load is stopped. */
  Reconciliation reconcile(Tally delivered) {
    return Reconciliation.of(promisedCopies, possibleCopies, delivered);
  }

  /** The longest that a message left after its time. */
  long mostBehindNanos() {
    return sender.mostBehindNanos();
  }

  @Override
  public void close() {
    sender.stop();
    udp.close();
  }
}
