package io.duplog.rig;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * A server by itself, with what it needs beside it, in a temporary folder that ends with it. It has
 * the same port from its first start to {@link #close}, and keeps its data while it is stopped.
 *
 * <p>What goes wrong is an {@link IllegalStateException} that says what {@link LabException} would.
 * Not thread-safe, except that any thread may pause and unpause.
 */
public abstract class LoneServer implements AutoCloseable {
  /** What a busy two-core machine may need to start a server. A bound, not an expectation. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Path root;
  private final LabDirectory directory;
  private final Servers servers;

  @SuppressWarnings("this-escape") // runs when all is made
  private final Thread hook = new Thread(this::end, "end of " + getClass().getSimpleName());

  protected LoneServer() {
    root = unchecked(() -> Files.createTempDirectory("duplog-server-"));
    directory = unchecked(() -> new LabDirectory(root));
    servers = new Servers(directory);
    Runtime.getRuntime().addShutdownHook(hook); // some are shared until the JVM ends
  }

  /** What may fail in every way that a server can. */
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

  /** For tests that can do nothing about a failure. An interrupted thread stays interrupted. */
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

  /** The server that this is about. */
  protected abstract Server server();

  /** Holds all that it writes. */
  protected final LabDirectory directory() {
    return directory;
  }

  /** Writes a file in a folder of its directory, and returns where it is. */
  protected final Path write(String folder, String file, String text) {
    return unchecked(() -> LabDirectory.write(directory.make(folder).resolve(file), text));
  }

  protected static int freePort() {
    return unchecked(() -> new Ports().next());
  }

  /** Starts servers for the first time, each when the one before it serves, and awaits the last. */
  protected final void startAll(Server... inOrder) {
    for (Server each : inOrder) {
      servers.add(each.name(), List.of(each));
    }
    unchecked(() -> servers.start(line -> {}));
  }

  /** Starts one more, which ends with this one. Returns when it serves. */
  protected final void startBeside(Server other) {
    unchecked(
        () -> {
          servers.startLate(other);
          other.awaitReady(PATIENCE);
        });
  }

  /** Its address on this machine. */
  public final String host() {
    return "127.0.0.1";
  }

  /** Starts the server again, with the data that it has, and waits until it serves. */
  public final void start() {
    unchecked(
        () -> {
          server().start();
          server().awaitReady(PATIENCE);
        });
  }

  /** Shuts the server down. Its port refuses connections afterwards. */
  public final void stop() {
    server().requestStop();
    server().awaitStop(PATIENCE);
  }

  /** Kills the server, as a power cut would. Its port refuses connections afterwards. */
  public final void kill() {
    server().kill();
  }

  /** Freezes the server: connections stay open, nothing answers. */
  public final void pause() {
    unchecked(() -> server().signal(Signal.STOP));
  }

  /** Ends {@link #pause()}. */
  public final void unpause() {
    unchecked(() -> server().signal(Signal.CONT));
  }

  /** Removes the server with its data. */
  @Override
  public final void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    end();
  }

  private void end() {
    server().kill(); // nobody needs what it would save
    servers.close();
    unchecked(() -> Folders.delete(root));
  }

  @Override
  public final String toString() {
    return server().name();
  }
}
