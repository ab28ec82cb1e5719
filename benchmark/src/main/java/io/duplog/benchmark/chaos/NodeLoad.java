package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.FaultScene;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.Sent;
import io.duplog.benchmark.load.Tally;
import io.duplog.benchmark.load.UdpOutlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The steady load of a trial, which knows what becomes of the first ingest node.
 *
 * <p>The load is UDP, because a UDP sender keeps its pace whatever happens to a receiver, as the
 * senders of most sites do. What a dead rsyslog never got is then a copy that one stream lacks. If
 * a fault strikes a node, copies are withheld at random only from that node. The other node gets
 * every message, and the trial checks that its kernel dropped none. If the fault destroys the node,
 * some messages go to that node alone. Those that it had then and that are not delivered have
 * burned; those that it gets after its last return must be delivered.
 */
final class NodeLoad extends RedundantSender implements FaultScene.Load {
  private static final Duration LONGEST = Duration.ofHours(2);
  private static final double WITHHELD_PERCENT = 4;
  private static final double REPEAT_PERCENT = 3;
  private static final int PERCENT = 100;

  /** One message in this many is sent to the first node only, if a fault destroys that node. */
  static final int ALONE = 25;

  private final Fault.NodeFate node;
  private final Arrivals arrivals;
  private final SplittableRandom random;
  private final List<Tally> promisedCopies;
  private final List<Tally> possibleCopies;
  private volatile boolean promised = true;

  /**
   * Messages that had been sent to the first node only when it was destroyed, with one tally for
   * each time.
   */
  private final List<Tally> exposed = new CopyOnWriteArrayList<>();

  /** Messages that were sent to the first node only while it was down. */
  private final Tally absent = new Tally();

  /**
   * Messages that are sent to the first node only: a new tally each time the node comes back, or
   * {@link #absent} while the node is down.
   */
  private volatile Tally alone = new Tally();

  /**
   * Sends nothing yet.
   *
   * @param receivers addresses of the rsyslogs
   * @param node what becomes of the first ingest node
   * @param arrivals gets each message that is sent
   */
  NodeLoad(
      List<InetSocketAddress> receivers, Trial.Terms terms, Fault.NodeFate node, Arrivals arrivals)
      throws IOException {
    super(
        new LoadPlan(
            terms.rate(),
            LONGEST,
            receivers.size(),
            node == Fault.NodeFate.WHOLE ? WITHHELD_PERCENT : 0,
            REPEAT_PERCENT,
            terms.seed()),
        new UdpOutlet(receivers));
    this.node = node;
    this.arrivals = arrivals;
    this.random = new SplittableRandom(terms.seed());
    this.promisedCopies = tallies(receivers.size());
    this.possibleCopies = tallies(receivers.size());
  }

  private static List<Tally> tallies(int count) {
    return Stream.generate(Tally::new).limit(count).toList();
  }

  @Override
  protected @Nullable Tally tallyOf(int stream, long serial) {
    if (node == Fault.NodeFate.BURNED && serial % ALONE == 0) {
      return stream == 0 ? alone : null;
    }
    boolean isWithheld =
        node != Fault.NodeFate.WHOLE
            && stream == 0
            && random.nextDouble() * PERCENT < WITHHELD_PERCENT;
    return isWithheld ? null : copies(stream);
  }

  private Tally copies(int stream) {
    return (promised ? promisedCopies : possibleCopies).get(stream);
  }

  @Override
  protected void copyLeaves(long serial) {
    arrivals.sent(serial, System.nanoTime());
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

  /**
   * Stops sending, and sends a last message to each node alone. When these are delivered, each
   * rsyslog has handed over all that it had received before: nothing of this trial can come in the
   * next one.
   */
  @Override
  public void stop() throws IOException, InterruptedException {
    super.stop();
    for (int stream = 0; stream < promisedCopies.size(); stream++) {
      sendLast(copies(stream), stream);
    }
  }

  @Override
  public Sent record() {
    return new Sent(with(promisedCopies, alone), with(possibleCopies, absent), exposed);
  }

  private static List<Tally> with(List<Tally> streams, Tally another) {
    return Stream.concat(streams.stream(), Stream.of(another)).toList();
  }

  /**
   * Returns the number of messages that had been sent to the first node only when it was destroyed.
   */
  long exposed() {
    return exposed.stream().mapToLong(Tally::total).sum();
  }
}
