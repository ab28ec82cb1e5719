package io.duplog.benchmark.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends batches from several simulated clients. Each client waits for a confirmation before it
 * sends its next batch, and until the pace allows more. Slow confirmations therefore reduce the
 * load.
 *
 * <p>In round r, the batch of client c begins with the number (r × clients + c) × size. After all
 * clients have ended the same round, all numbers below the next round's first are therefore sent.
 */
public final class ClosedLoop extends Senders {
  private static final long PACE_POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final int batchSize;
  private final List<Client> clients = new ArrayList<>();
  private final AtomicLong refusalCount = new AtomicLong();

  /**
   * Times of one batch, by {@link System#nanoTime}.
   *
   * @param dueNanos when the client was free to send the batch
   * @param sentNanos when the pace allowed the batch, just before its first byte left
   * @param confirmedNanos when the last path had confirmed the batch
   */
  public record Batch(long dueNanos, long sentNanos, long confirmedNanos) {}

  /**
   * Creates the clients. Starts no thread.
   *
   * @param prefix prefix of each message
   * @param batchSize number of messages in a batch
   * @param pace delays a batch until all of its messages may be sent
   * @param pathsOfClients paths of each client, the same number for every client; closed by {@link
   *     #close}
   */
  public ClosedLoop(
      NumberedLines lines,
      String prefix,
      int batchSize,
      Pace pace,
      List<List<ConfirmedPath>> pathsOfClients) {
    super(lines, prefix, pace, pathsOfClients.get(0).size());
    this.batchSize = batchSize;
    for (List<ConfirmedPath> paths : pathsOfClients) {
      clients.add(new Client(clients.size(), paths));
    }
  }

  /**
   * Waits until every receiver is ready. Must be called before {@link #start}.
   *
   * @throws IOException if a receiver has ended
   */
  public void awaitReceivers() throws IOException {
    for (Client client : clients) {
      for (ConfirmedPath path : client.paths) {
        path.awaitReady();
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

  /**
   * Returns when the client was free to send the message's batch. A wait for the pace therefore
   * counts as delay.
   */
  @Override
  public long dueNanos(long serial) {
    long batch = serial / batchSize;
    Client client = clients.get((int) (batch % clients.size()));
    return client.batches.get((int) (batch / clients.size())).dueNanos();
  }

  /**
   * Returns the times of all batches, client by client. Must be called after all clients have
   * stopped.
   */
  public List<Batch> batches() {
    return clients.stream().flatMap(client -> client.batches.stream()).toList();
  }

  /** Returns how often a path refused a batch. A refused batch is sent again on the same path. */
  public long refusals() {
    return refusalCount.get();
  }

  /** A client that sends one batch in each round. {@code next} is the number of finished rounds. */
  final class Client extends Worker {
    private final int index;
    private final List<ConfirmedPath> paths;

    /**
     * Times of the client's batches by round. Other threads may read them after this client's
     * thread has ended.
     */
    private final List<Batch> batches = new ArrayList<>();

    Client(int index, List<ConfirmedPath> paths) {
      super(paths, batchSize, 0);
      this.index = index;
      this.paths = List.copyOf(paths);
    }

    @Override
    void runOnce() throws IOException {
      long round = next;
      long dueNanos = System.nanoTime();
      long first = (round * clients.size() + index) * batchSize;
      int length = fill(first, first + batchSize);
      while (isPaced() && pace.allowed(sent()) < first + batchSize) {
        LockSupport.parkNanos(PACE_POLL_NANOS);
      }
      long sentNanos = System.nanoTime();
      for (ConfirmedPath path : paths) {
        path.send(block, length);
      }
      for (ConfirmedPath path : paths) {
        while (!path.awaitConfirmed()) {
          refusalCount.incrementAndGet();
          path.send(block, length);
        }
      }
      batches.add(new Batch(dueNanos, sentNanos, System.nanoTime()));
      next = round + 1;
    }
  }
}
