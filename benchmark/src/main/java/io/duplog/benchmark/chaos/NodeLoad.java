package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.FaultScene;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.Sent;
import io.duplog.benchmark.load.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends syslog at a steady rate during a fault, and records which messages may be missing because
 * an ingest node was down.
 *
 * <p>The load is UDP, because a UDP sender keeps its pace independently of the receivers, like the
 * senders of most sites. If a dead rsyslog missed a message, one stream has no copy. A lab without
 * rsyslog has clients of HTTP Event Collector, which keep messages until the shim accepts them.
 *
 * <p>If a fault disturbs a node, copies are withheld at random only from that node. The other node
 * gets every message, and the fault run checks that its kernel dropped none.
 *
 * <p>If the fault destroys the node, some messages go only to that node. Messages that it held
 * then, and that are not delivered, are lost with the disk. Messages that it gets after its last
 * return must be delivered.
 */
final class NodeLoad extends RedundantSender implements FaultScene.Load {
  private static final Duration MAX_DURATION = Duration.ofHours(2);
  private static final double WITHHELD_PERCENT = 4;
  private static final double REPEAT_PERCENT = 3;
  private static final int HUNDRED_PERCENT = 100;

  /** One message in this many is sent only to the first node, if a fault destroys that node. */
  static final int SINGLE_NODE_INTERVAL = 25;

  private final Fault.NodeFate fate;
  private final Arrivals arrivals;
  private final SplittableRandom random;
  private final List<Tally> requiredTallies;
  private final List<Tally> possibleTallies;
  private volatile boolean deliveryRequired = true;

  /**
   * Messages that had been sent only to the first node when it was destroyed, with one tally for
   * each time.
   */
  private final List<Tally> exposedTallies = new CopyOnWriteArrayList<>();

  /** Messages that were sent only to the first node while it was down. */
  private final Tally downNodeTally = new Tally();

  /**
   * Messages that are sent only to the first node: a new tally each time the node returns, or
   * {@link #downNodeTally} while the node is down.
   */
  private volatile Tally firstNodeTally = new Tally();

  /**
   * Creates the load. Sends no message yet.
   *
   * @param outlet transport to the nodes; closed by {@link #close}
   * @param nodes number of ingest nodes
   * @param fate effect of the fault on the first ingest node
   * @param arrivals records each message that is sent
   */
  NodeLoad(
      Outlet outlet,
      int nodes,
      FaultRun.Parameters parameters,
      Fault.NodeFate fate,
      Arrivals arrivals) {
    super(
        new LoadPlan(
            parameters.messagesPerSecond(),
            MAX_DURATION,
            nodes,
            fate == Fault.NodeFate.INTACT ? WITHHELD_PERCENT : 0,
            REPEAT_PERCENT,
            parameters.seed()),
        outlet);
    this.fate = fate;
    this.arrivals = arrivals;
    this.random = new SplittableRandom(parameters.seed());
    this.requiredTallies = newTallies(nodes);
    this.possibleTallies = newTallies(nodes);
  }

  private static List<Tally> newTallies(int count) {
    return Stream.generate(Tally::new).limit(count).toList();
  }

  @Override
  protected @Nullable Tally tallyOf(int stream, long serial) {
    if (fate == Fault.NodeFate.DESTROYED && serial % SINGLE_NODE_INTERVAL == 0) {
      return stream == 0 ? firstNodeTally : null;
    }
    boolean isWithheld =
        fate != Fault.NodeFate.INTACT
            && stream == 0
            && random.nextDouble() * HUNDRED_PERCENT < WITHHELD_PERCENT;
    return isWithheld ? null : currentTally(stream);
  }

  private Tally currentTally(int stream) {
    return (deliveryRequired ? requiredTallies : possibleTallies).get(stream);
  }

  @Override
  protected void beforeCopySent(long serial) {
    arrivals.recordSent(serial, System.nanoTime());
  }

  @Override
  public void setDeliveryRequired(boolean isRequired) {
    deliveryRequired = isRequired;
  }

  @Override
  public void setNodeAvailable(boolean isAvailable) {
    if (!isAvailable) {
      exposedTallies.add(firstNodeTally);
    }
    firstNodeTally = isAvailable ? new Tally() : downNodeTally;
  }

  @Override
  public void killClient() throws IOException {
    reset(0);
  }

  /**
   * Stops sending, and sends a last message to each node separately. When these messages are
   * delivered, each rsyslog has handed over all previous ones, so no message of this run can arrive
   * in the next.
   */
  @Override
  public void stop() throws IOException, InterruptedException {
    super.stop();
    for (int stream = 0; stream < requiredTallies.size(); stream++) {
      sendLast(currentTally(stream), stream);
    }
  }

  @Override
  public Sent record() {
    return new Sent(
        append(requiredTallies, firstNodeTally),
        append(possibleTallies, downNodeTally),
        exposedTallies);
  }

  private static List<Tally> append(List<Tally> streams, Tally tally) {
    return Stream.concat(streams.stream(), Stream.of(tally)).toList();
  }

  /**
   * Returns the number of messages that had been sent only to the first node when it was destroyed.
   */
  long exposedMessages() {
    return exposedTallies.stream().mapToLong(Tally::total).sum();
  }
}
