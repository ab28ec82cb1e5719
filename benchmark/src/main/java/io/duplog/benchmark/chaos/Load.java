package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Fault;
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
import java.util.concurrent.CopyOnWriteArrayList;
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
 * gets each message: that its kernel dropped none is looked up in the end. But of those that go to
 * a node which is to be destroyed, some go there alone. What it had then and nobody delivers has
 * burned; what it gets when it is back for the last time must arrive.
 */
final class Load implements Scene.Load, AutoCloseable {
  private static final Duration LONGEST = Duration.ofHours(2);
  private static final double WITHHELD_PERCENT = 4;
  private static final double REPEAT_PERCENT = 3;

  /** One message of this many goes to the first node alone if a fault destroys that node. */
  static final int ALONE = 25;

  private final List<Tally> promisedCopies;
  private final List<Tally> possibleCopies;
  private final UdpOutlet udp;
  private final RedundantSender sender;
  private final SplittableRandom random;
  private @Nullable Future<?> sending;
  private volatile boolean promised = true;

  /**
   * What the first node gets alone: before each time that it burned, while it was away, and now.
   */
  private final List<Tally> exposed = new CopyOnWriteArrayList<>();

  private final Tally absent = new Tally();
  private volatile Tally alone = new Tally();

  /**
   * @param receivers the rsyslogs
   * @param node what becomes of the first of them
   * @param arrivals told what is sent
   */
  Load(
      List<InetSocketAddress> receivers,
      int rate,
      long seed,
      Fault.NodeFate node,
      Arrivals arrivals)
      throws IOException {
    boolean firstOnly = node != Fault.NodeFate.WHOLE;
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
              boolean isAlone = node == Fault.NodeFate.BURNED && isAlone(bytes, length);
              if (isAlone
                  ? stream > 0
                  : firstOnly && stream == 0 && random.nextDouble() * 100 < WITHHELD_PERCENT) {
                return;
              }
              Tally tally = (promised ? promisedCopies : possibleCopies).get(stream);
              long identity = (isAlone ? alone : tally).add(bytes, 0, length);
              arrivals.sent(identity, System.nanoTime());
              udp.send(stream, bytes, length);
            });
  }

  /** Decided by the identity, so that repetitions of a message go the same way. */
  private static boolean isAlone(byte[] bytes, int length) {
    return Math.floorMod(Tally.identityOf(bytes, 0, length), ALONE) == 0;
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

  @Override
  public void nodeThere(boolean there) {
    if (!there) {
      exposed.add(alone);
    }
    alone = there ? new Tally() : absent;
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
    return Reconciliation.of(
        with(promisedCopies, alone), with(possibleCopies, absent), exposed, delivered);
  }

  private static List<Tally> with(List<Tally> streams, Tally another) {
    return Stream.concat(streams.stream(), Stream.of(another)).toList();
  }

  /** How many messages only the first node had when it was destroyed, or before. */
  long exposed() {
    return exposed.stream().mapToLong(Tally::total).sum();
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
