package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.FaultScene;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.Messages;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.Tally;
import io.duplog.benchmark.load.UdpOutlet;
import io.duplog.benchmark.measure.Reconciliation;
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
 * The steady load of a trial, by UDP to both ingest nodes, and the record of what it has sent.
 *
 * <p>The load is UDP because a UDP sender keeps its pace whatever happens to a receiver, as the
 * senders of most sites do. What a dead rsyslog never got is then a copy that one stream lacks. If
 * a fault strikes a node, copies are withheld at random only from that node. The other node gets
 * every message, and the trial checks that its kernel dropped none. If the fault destroys the node,
 * some messages go to that node alone. Those that it had then and that are not delivered have
 * burned; those that it gets after its last return must be delivered.
 */
final class Load implements FaultScene.Load, AutoCloseable {
  private static final Duration LONGEST = Duration.ofHours(2);
  private static final double WITHHELD_PERCENT = 4;
  private static final double REPEAT_PERCENT = 3;

  /** One message in this many is sent to the first node only, if a fault destroys that node. */
  static final int ALONE = 25;

  private final List<Tally> promisedCopies;
  private final List<Tally> possibleCopies;
  private final UdpOutlet udp;
  private final RedundantSender sender;
  private final Arrivals arrivals;
  private @Nullable Future<?> sending;
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
    this.arrivals = arrivals;
    udp = new UdpOutlet(receivers);
    SplittableRandom random = new SplittableRandom(seed);
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
            (stream, serial, message) -> {
              boolean isAlone = node == Fault.NodeFate.BURNED && serial % ALONE == 0;
              if (isAlone
                  ? stream > 0
                  : firstOnly && stream == 0 && random.nextDouble() * 100 < WITHHELD_PERCENT) {
                return;
              }
              Tally tally = (promised ? promisedCopies : possibleCopies).get(stream);
              send(isAlone ? alone : tally, stream, serial, message);
            });
  }

  private void send(Tally tally, int stream, long serial, byte[] message) throws IOException {
    tally.add(serial);
    arrivals.sent(serial, System.nanoTime());
    udp.send(stream, message);
  }

  void start() {
    sending = sender.start();
  }

  /** Returns the messages that this load sends. */
  Messages messages() {
    return sender.texts();
  }

  private static List<Tally> tallies(int count) {
    return Stream.generate(Tally::new).limit(count).toList();
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
   * Stops sending, waits until the sender has ended, and sends a last message to each node alone.
   * When these are delivered, each rsyslog has handed over all that it had received before: nothing
   * of this trial can come in the next one.
   */
  void stop() throws IOException, InterruptedException {
    sender.stop();
    try {
      if (sending != null) {
        sending.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("the sender failed: " + e.getCause(), e);
    }
    for (int stream = 0; stream < promisedCopies.size(); stream++) {
      sender.sendLast(
          stream,
          (to, serial, message) ->
              send((promised ? promisedCopies : possibleCopies).get(to), to, serial, message));
    }
  }

  /** Compares the sent messages with the delivered ones; to be called after {@link #stop}. */
  Reconciliation reconcile(Tally delivered) {
    return Reconciliation.of(
        with(promisedCopies, alone), with(possibleCopies, absent), exposed, delivered);
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

  /** Returns the longest delay of a message behind its schedule, in nanoseconds. */
  long mostBehindNanos() {
    return sender.mostBehindNanos();
  }

  @Override
  public void close() {
    sender.stop();
    udp.close();
  }
}
