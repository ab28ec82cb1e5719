package io.duplog.rig;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Base of the single servers, such as a Redis, that a test starts in a temporary folder on a
 * private port. A server has the same port from its first start to {@link #close}, and keeps its
 * data while it is stopped.
 *
 * <p>Failures are thrown as {@link IllegalStateException}, with the message of a {@link
 * LabException}. Not thread-safe, except that any thread may call {@link #pause} and {@link
 * #unpause}.
 */
public abstract class LoneServer implements AutoCloseable {
  /** Maximum time for a server to start or to stop, even on a busy machine with two cores. */
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private final Path root;
  private final LabDirectory directory;
  private final Servers servers;

  @SuppressWarnings("this-escape") // The thread starts only after this object is complete.
  private final Thread shutdownHook = new Thread(this::end, "end of " + getClass().getSimpleName());

  protected LoneServer() {
    root = unchecked(() -> Files.createTempDirectory("duplog-server-"));
    directory = unchecked(() -> new LabDirectory(root));
    servers = new Servers(directory);
    Runtime.getRuntime()
        .addShutdownHook(shutdownHook); // Some servers are shared until the JVM ends.
  }

  /** Action that may throw any exception. */
  @FunctionalInterface
  public interface Action {
    void run() throws Exception;
  }

  public static void unchecked(Action action) {
    unchecked(
        () -> {
          action.run();
          return action;
        });
  }

  /**
   * Runs an action, and throws a checked exception as {@link IllegalStateException}, for tests that
   * can't handle the failure. An interrupted thread stays interrupted.
   */
  public static <T> T unchecked(Callable<T> action) {
    try {
      return action.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** Returns the server itself, without the servers that it needs. */
  protected abstract Server server();

  /** Returns the directory for all files that the servers write. */
  protected final LabDirectory directory() {
    return directory;
  }

  /** Writes a file into a folder of {@link #directory}, and returns the file's path. */
  protected final Path write(String folder, String file, String text) {
    return unchecked(() -> LabDirectory.write(directory.make(folder).resolve(file), text));
  }

  protected static int freePort() {
    return unchecked(() -> new Ports().next());
  }

  /**
   * Starts servers for the first time, each after the previous one is ready. Returns when the last
   * one is ready.
   */
  protected final void startAll(Server... inOrder) {
    for (Server each : inOrder) {
      servers.add(each.name(), List.of(each));
    }
    unchecked(() -> servers.start(line -> {}));
  }

  /** Starts another server, which ends together with this one. Returns when it is ready. */
  protected final void startBeside(Server other) {
    unchecked(
        () -> {
          servers.startLate(other);
          other.awaitReady(TIMEOUT);
        });
  }

  /** Returns the server's address on this machine. */
  public final String host() {
    return "127.0.0.1";
  }

  /** Restarts the server with its data, and waits until it is ready. */
  public final void start() {
    unchecked(
        () -> {
          server().start();
          server().awaitReady(TIMEOUT);
        });
  }

  /** Shuts the server down. Its port refuses connections afterwards. */
  public final void stop() {
    server().requestStop();
    server().awaitStop(TIMEOUT);
  }

  /** Kills the server, as a power cut would. Its port refuses connections afterwards. */
  public final void kill() {
    server().kill();
  }

  /**
   * Stops the server with SIGSTOP, so that connections stay open and it does not answer. Returns
   * when all of its threads are stopped. On a busy machine, threads continue for a while after the
   * signal.
   */
  public final void pause() {
    unchecked(() -> server().signal(Signal.STOP));
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions() // A thread may end meanwhile.
        .until(() -> server().itself().stream().allMatch(LoneServer::isStopped));
  }

  private static boolean isStopped(ProcessHandle process) {
    return unchecked(
        () -> {
          try (Stream<Path> threads = Files.list(Path.of("/proc", process.pid() + "", "task"))) {
            return threads.allMatch(thread -> unchecked(() -> state(thread) == 'T'));
          }
        });
  }

  /** Returns the letter of a thread's state, which follows the name in parentheses. */
  private static char state(Path thread) throws IOException {
    String stat = Files.readString(thread.resolve("stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  /** Continues the server after {@link #pause()}. */
  public final void unpause() {
    unchecked(() -> server().signal(Signal.CONT));
  }

  /** Removes the server with its data. */
  @Override
  public final void close() {
    Runtime.getRuntime().removeShutdownHook(shutdownHook);
    end();
  }

  private void end() {
    server().kill(); // An orderly stop would save data that nobody needs.
    servers.close();
    unchecked(() -> Folders.delete(root));
  }

  @Override
  public final String toString() {
    return server().name();
  }
}
