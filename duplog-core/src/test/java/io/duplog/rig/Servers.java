package io.duplog.rig;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Servers that start in stages, each when the one before it serves, and stop in the opposite order.
 * None of them outlives this program.
 *
 * <p>One thread starts them. Any other may close meanwhile, so a shutdown hook can.
 */
public final class Servers implements AutoCloseable {
  private static final Duration READY_WITHIN = Duration.ofSeconds(90);

  /** RabbitMQ and a bridge with a full prefetch take longest. */
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(20);

  /** Servers that can start, and stop, at the same time. */
  private record Stage(String what, List<Server> servers) {}

  private final List<Stage> stages = new ArrayList<>();
  private final Watchdog watchdog;

  private final Object lock = new Object();

  /** Guarded by {@link #lock}. */
  private final Deque<Stage> started = new ArrayDeque<>();

  /** Guarded by {@link #lock}. */
  private boolean closed;

  public Servers(LabDirectory directory) {
    watchdog = new Watchdog(directory.pidFiles());
  }

  /** Adds a stage, which is left out where it has no servers. For the time before the start. */
  public void add(String what, List<Server> servers) {
    if (!servers.isEmpty()) {
      stages.add(new Stage(what, List.copyOf(servers)));
    }
  }

  /**
   * Starts all stages and returns when the last serves.
   *
   * @param progress gets a line a stage
   * @throws LabException if a server fails, or this is closed meanwhile; {@link #close} must be
   *     called all the same
   */
  public void start(Consumer<String> progress) throws LabException, InterruptedException {
    synchronized (lock) {
      requireOpen();
      watchdog.start();
    }
    for (Stage stage : stages) {
      long begun = System.nanoTime();
      launch(stage);
      for (Server server : stage.servers()) {
        server.awaitReady(READY_WITHIN);
      }
      double seconds = Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000.0;
      progress.accept("%s ready after %.1f s".formatted(stage.what(), seconds));
    }
  }

  /**
   * Starts one more, which stops first, and does not wait until it serves.
   *
   * @throws LabException if it can't be executed, or this is closed
   */
  public void startLate(Server server) throws LabException {
    launch(new Stage(server.name(), List.of(server)));
  }

  private void launch(Stage stage) throws LabException {
    synchronized (lock) {
      requireOpen();
      started.push(stage);
      for (Server server : stage.servers()) {
        server.start();
      }
    }
  }

  private void requireOpen() throws LabException {
    if (closed) {
      throw new LabException("the lab was stopped while it started");
    }
  }

  /**
   * Throws if a server of a stage has ended that should run.
   *
   * @throws LabException names it, its exit status and the end of its log
   */
  public void requireAlive() throws LabException {
    for (Stage stage : stages) {
      for (Server server : stage.servers()) {
        server.requireAlive();
      }
    }
  }

  /**
   * Stops some as an operator would, all at once. Returns when none of their processes is left.
   *
   * @return the names of those that did not end by themselves with status 0
   */
  public static List<String> stop(Collection<Server> servers) {
    servers.forEach(Server::requestStop);
    return servers.stream()
        .filter(server -> !server.awaitStop(STOPPED_WITHIN))
        .map(Server::name)
        .toList();
  }

  /** Stops everything that was started. Returns when no process is left. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      while (!started.isEmpty()) {
        stop(started.pop().servers());
      }
      watchdog.close();
    }
  }
}
