package io.duplog.rig;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Starts the servers of a lab in the right order, and stops all of them at the end. No server
 * outlives this program.
 *
 * <p>Not thread-safe, except that another thread, such as a shutdown hook, may call {@link #close}
 * while the servers are started.
 */
public final class Servers implements AutoCloseable {
  private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);

  /**
   * Maximum time for a server to stop. RabbitMQ, and a bridge with a full prefetch, take longest.
   */
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

  /** Servers that can start, and stop, at the same time. */
  private record Stage(String name, List<Server> servers) {}

  private final List<Stage> stages = new ArrayList<>();
  private final Watchdog watchdog;

  private final Object lock = new Object();

  /** Stages that were started, the latest first. Guarded by {@link #lock}. */
  private final Deque<Stage> startedStages = new ArrayDeque<>();

  /** Whether the servers must stop. The field is guarded by {@link #lock}. */
  private boolean isClosed;

  public Servers(LabDirectory directory) {
    watchdog = new Watchdog(directory.pidFiles());
  }

  /** Adds a stage, unless it has no servers. Must be called before {@link #start}. */
  public void add(String name, List<Server> servers) {
    if (!servers.isEmpty()) {
      stages.add(new Stage(name, List.copyOf(servers)));
    }
  }

  /**
   * Starts all stages, and returns when the last one is ready.
   *
   * @param progress receives a line for each stage
   * @throws LabException if a server fails, or this object is closed meanwhile; {@link #close} must
   *     be called even then
   */
  public void start(Consumer<String> progress) throws LabException, InterruptedException {
    synchronized (lock) {
      requireOpen();
      watchdog.start();
    }
    for (Stage stage : stages) {
      long beginNanos = System.nanoTime();
      launch(stage);
      for (Server server : stage.servers()) {
        server.awaitReady(READY_TIMEOUT);
      }
      double seconds = Duration.ofNanos(System.nanoTime() - beginNanos).toMillis() / 1000.0;
      progress.accept("%s ready after %.1f s".formatted(stage.name(), seconds));
    }
  }

  /**
   * Starts another server, which will stop first. Does not wait until it is ready.
   *
   * @throws LabException if the server can't be executed, or this object is closed
   */
  public void startLate(Server server) throws LabException {
    launch(new Stage(server.name(), List.of(server)));
  }

  private void launch(Stage stage) throws LabException {
    synchronized (lock) {
      requireOpen();
      startedStages.push(stage);
      for (Server server : stage.servers()) {
        server.start();
      }
    }
  }

  private void requireOpen() throws LabException {
    if (isClosed) {
      throw new LabException("the lab was stopped while it started");
    }
  }

  /**
   * Throws if a server of a stage has ended that should run.
   *
   * @throws LabException with the server's name, its exit status and the end of its log
   */
  public void requireAlive() throws LabException {
    for (Stage stage : stages) {
      for (Server server : stage.servers()) {
        server.requireAlive();
      }
    }
  }

  /**
   * Stops servers as an operator would, all at the same time. Returns when none of their processes
   * is left.
   *
   * @return the names of the servers that did not end by themselves with status 0
   */
  public static List<String> stop(Collection<Server> servers) {
    servers.forEach(Server::requestStop);
    return servers.stream()
        .filter(server -> !server.awaitStop(STOP_TIMEOUT))
        .map(Server::name)
        .toList();
  }

  /** Stops all servers that were started. Returns when no process is left. */
  @Override
  public void close() {
    synchronized (lock) {
      isClosed = true;
      while (!startedStages.isEmpty()) {
        stop(startedStages.pop().servers());
      }
      watchdog.close();
    }
  }
}
