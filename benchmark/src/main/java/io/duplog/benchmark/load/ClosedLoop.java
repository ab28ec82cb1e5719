package io.duplog.benchmark.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that each send a batch, and the next when that one is confirmed on every path that the
 * client has, and the pace allows it. What takes long to confirm is sent less of.
 *
 * <p>The batches take turns at the numbers: of round r, client c's batch begins with the number (r
 * × clients + c) × size. So when all clients have ended the same round, all numbers below the next
 * one are sent.
 */
public final class ClosedLoop extends ThreadedSenders {
  private static final long WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final int batchSize;
  private final Pace pace;
  private final int copies;
  private final List<Client> clients = new ArrayList<>();
  private final AtomicLong refused = new AtomicLong();

  /**
   * One batch's times, by {@link System#nanoTime}.
   *
   * @param dueNanos when its client was free to send it
   * @param sentNanos just before its first byte left, when the pace allowed it
   * @param confirmedNanos when the last path had confirmed it
   */
  public record Batch(long dueNanos, long sentNanos, long confirmedNanos) {}

  /**
   * @param before what stands before each message
   * @param batchSize messages of a batch
   * @param pace holds back a batch of which not all may leave yet
   * @param pathsOfClients each client's own, as many for each; closed in the end
   */
  public ClosedLoop(
      NumberedLines lines,
      byte[] before,
      int batchSize,
      Pace pace,
      List<List<ConfirmedPath>> pathsOfClients) {
    super(lines, before, pace);
    this.batchSize = batchSize;
    this.pace = pace;
    this.copies = pathsOfClients.get(0).size();
    for (List<ConfirmedPath> paths : pathsOfClients) {
      if (paths.size() != copies) {
        throw new IllegalArgumentException("one client has more paths than another");
      }
      clients.add(new Client(clients.size(), paths));
    }
  }

  /**
   * Waits until every receiver is there. Before {@link #start}.
   *
   * @throws IOException if one has ended
   */
  public void awaitReceivers() throws IOException, InterruptedException {
    for (Client client : clients) {
      for (ConfirmedPath path : client.paths) {
        path.awaitConfirmed();
      }
    }
  }

  @Override
  List<Client> workers() {
    return clients;
  }

  @Override
  public long sent() {
    long rounds = clients.stream().mapToLong(client -> client.next).min().orElse(0);
    return rounds * clients.size() * batchSize;
  }

  @Override
  public int copies() {
    return copies;
  }

  /** When the client was free to send the message's batch: what it then waits for is counted. */
  @Override
  public long dueNanos(long serial) {
    long batch = serial / batchSize;
    Client client = clients.get((int) (batch % clients.size()));
    return client.batches.get((int) (batch / clients.size())).dueNanos();
  }

  /** The times of all batches, in no order. Once all have stopped. */
  public List<Batch> batches() {
    return clients.stream().flatMap(client -> client.batches.stream()).toList();
  }

  /** How often a batch was refused on a path, and sent again there. */
  public long refusals() {
    return refused.get();
  }

  /** One of them. Its {@code next} counts the rounds that it has ended. */
  final class Client extends Worker {
    private final int index;
    private final List<ConfirmedPath> paths;

    /** By round; for its own thread, and for others once that has ended. */
    private final List<Batch> batches = new ArrayList<>();

    Client(int index, List<ConfirmedPath> paths) {
      super(paths, batchSize, 0);
      this.index = index;
      this.paths = List.copyOf(paths);
    }

    @Override
    void runOnce() throws IOException, InterruptedException {
      long round = next;
      long dueNanos = System.nanoTime();
      long first = (round * clients.size() + index) * batchSize;
      int length = fill(first, first + batchSize);
      while (isPaced() && pace.allowed(sent()) < first + batchSize) {
        LockSupport.parkNanos(WAIT_NANOS);
      }
      long sentNanos = System.nanoTime();
      for (ConfirmedPath path : paths) {
        path.send(block(), length);
      }
      for (ConfirmedPath path : paths) {
        while (!path.awaitConfirmed()) {
          refused.incrementAndGet();
          path.send(block(), length);
        }
      }
      batches.add(new Batch(dueNanos, sentNanos, System.nanoTime()));
      next = round + 1;
    }
  }
}
