package io.duplog.benchmark.load;

import com.google.common.io.Closer;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients that each send a batch, and the next when that one is confirmed on every path that the
 * client has, and the pace allows it. What takes long to confirm is sent less of.
 *
 * <p>The batches take turns at the numbers: of round r, client c's batch begins with the number (r
 * × clients + c) × size. So when all clients have ended the same round, all numbers below the next
 * one are sent.
 */
public final class ClosedLoop implements Senders {
  private static final long WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final Duration ENDS_WITHIN = Duration.ofMillis(200);

  private final NumberedLines lines;
  private final byte[] before;
  private final int batchSize;
  private final Pace pace;
  private final int copies;
  private final List<Client> clients = new ArrayList<>();
  private final AtomicLong refused = new AtomicLong();
  private volatile boolean stopping;
  private volatile boolean closed;

  /** Once all have stopped: how many rounds the client that is furthest has ended. */
  private volatile long endRound;

  /** Gets the times of batches, by {@link System#nanoTime}. */
  @FunctionalInterface
  public interface Batches {
    /**
     * One of them.
     *
     * @param dueNanos when its client was free to send it
     * @param sentNanos just before its first byte left, when the pace allowed it
     * @param confirmedNanos when the last path had confirmed it
     */
    void batch(long dueNanos, long sentNanos, long confirmedNanos);
  }

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
    this.lines = lines;
    this.before = before.clone();
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
  public void start() {
    pace.begin();
    clients.forEach(Client::begin);
  }

  @Override
  public long sent() {
    long rounds = clients.stream().mapToLong(client -> client.rounds).min().orElse(0);
    return rounds * clients.size() * batchSize;
  }

  @Override
  public long stop() throws IOException, InterruptedException {
    stopping = true;
    join();
    endRound = clients.stream().mapToLong(client -> client.rounds).max().orElse(0);
    clients.forEach(Client::begin);
    join();
    return sent();
  }

  private void join() throws IOException, InterruptedException {
    for (Client client : clients) {
      client.thread.join();
      IOException failure = client.failure;
      if (failure != null) {
        throw new IOException("a path broke: " + failure.getMessage(), failure);
      }
    }
  }

  @Override
  public boolean isBroken() {
    return clients.stream().anyMatch(client -> client.failure != null);
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
    return client.dueNanos[(int) (batch / clients.size())];
  }

  /** The times of all batches. Once all have stopped. */
  public void forEachBatch(Batches batches) {
    for (Client client : clients) {
      for (int i = 0; i < client.rounds; i++) {
        batches.batch(client.dueNanos[i], client.sentNanos[i], client.confirmedNanos[i]);
      }
    }
  }

  /** How often a batch was refused on a path, and sent again there. */
  public long refusals() {
    return refused.get();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try (Closer closer = Closer.create()) {
      clients.forEach(client -> closer.register(client::close));
    }
  }

  /** One of them, with the thread that sends for it. */
  private final class Client {
    private final int index;
    private final List<ConfirmedPath> paths;
    private final byte[] block = new byte[batchSize * (before.length + lines.length() + 1)];
    private Thread thread = new Thread(this::run, "client");

    /** By round; for its own thread, and for others once that has ended. */
    private long[] dueNanos = new long[1 << 10];

    /** As the one above. */
    private long[] sentNanos = new long[1 << 10];

    /** As those above. */
    private long[] confirmedNanos = new long[1 << 10];

    /** Rounds that it has ended. Written by its own thread alone. */
    private volatile int rounds;

    private volatile @Nullable IOException failure;

    Client(int index, List<ConfirmedPath> paths) {
      this.index = index;
      this.paths = List.copyOf(paths);
    }

    void begin() {
      thread = new Thread(this::run, "client");
      thread.setDaemon(true);
      thread.start();
    }

    private void run() {
      try {
        while (!closed && (!stopping || rounds < endRound)) {
          runOnce(rounds);
        }
      } catch (IOException e) {
        failure = e;
      } catch (InterruptedException e) {
        failure = new IOException("closed before the batch was confirmed", e);
      }
    }

    private void runOnce(int round) throws IOException, InterruptedException {
      if (round == dueNanos.length) {
        dueNanos = Arrays.copyOf(dueNanos, 2 * round);
        sentNanos = Arrays.copyOf(sentNanos, 2 * round);
        confirmedNanos = Arrays.copyOf(confirmedNanos, 2 * round);
      }
      dueNanos[round] = System.nanoTime();
      long batch = (long) round * clients.size() + index;
      int length = fill(batch);
      awaitAllowed((batch + 1) * batchSize);
      sentNanos[round] = System.nanoTime();
      for (ConfirmedPath path : paths) {
        path.send(block, length);
      }
      for (ConfirmedPath path : paths) {
        while (!path.awaitConfirmed()) {
          refused.incrementAndGet();
          path.send(block, length);
        }
      }
      confirmedNanos[round] = System.nanoTime();
      rounds = round + 1;
    }

    /** In the end all have to come to the same number, whatever the pace is. */
    private void awaitAllowed(long end) {
      while (!stopping && !closed && pace.allowed(sent()) < end) {
        LockSupport.parkNanos(WAIT_NANOS);
      }
    }

    private int fill(long batch) {
      int length = 0;
      for (long serial = batch * batchSize; serial < (batch + 1) * batchSize; serial++) {
        System.arraycopy(before, 0, block, length, before.length);
        length = lines.write(serial, block, length + before.length);
        block[length++] = '\n';
      }
      return length;
    }

    /** Where it is still writing, the receiver's end will end it: to close would be to wait. */
    void close() throws IOException {
      thread.interrupt();
      Uninterruptibles.joinUninterruptibly(thread, ENDS_WITHIN);
      if (!thread.isAlive()) {
        try (Closer closer = Closer.create()) {
          paths.forEach(closer::register);
        }
      }
    }
  }
}
