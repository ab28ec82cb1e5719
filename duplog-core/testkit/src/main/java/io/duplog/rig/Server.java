package io.duplog.rig;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts, stops, kills and restarts one server process of a test or a lab. A server that has ended
 * can be restarted with the same ports and files, as after a reboot.
 *
 * <p>Not thread-safe. Calls that start the server must not overlap. Any thread may stop it, or
 * query its state.
 *
 * @see "docs/decisions/tests.md#real-servers"
 */
public final class Server {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration CHILDREN_TIMEOUT = Duration.ofSeconds(2);

  /**
   * The command of a server, with its environment and folder.
   *
   * @param name name in messages and files, such as {@code rabbitmq-syslog-a}
   * @param environment variables in addition to the lab's few; the caller's are not inherited
   * @param home working directory, which must exist
   * @param output destination of the standard output, or null for the log, which also gets the
   *     standard error. With a pipe, the standard input is also a pipe. Otherwise there is no
   *     input.
   */
  public record Launch(
      String name,
      List<String> command,
      Map<String, String> environment,
      Path home,
      @Nullable Redirect output) {

    /** Creates a launch without input, whose output goes to the log. */
    public Launch(String name, List<String> command, Map<String, String> environment, Path home) {
      this(name, command, environment, home, null);
    }
  }

  /** Checks whether a server is ready. An exception means that it is not. */
  @FunctionalInterface
  public interface Readiness {
    boolean isReady() throws IOException;
  }

  private final Launch launch;
  private final LabDirectory directory;
  private final Readiness readiness;

  private volatile @Nullable Process process;
  private volatile List<ProcessHandle> children = List.of();

  public Server(Launch launch, LabDirectory directory, Readiness readiness) {
    this.launch = launch;
    this.directory = directory;
    this.readiness = readiness;
  }

  /** Returns the name in messages and files, such as {@code rabbitmq-syslog-a}. */
  public String name() {
    return launch.name();
  }

  /**
   * Returns the log with the server's standard output and standard error, from its first start on.
   */
  public Path log() {
    return directory.log(name());
  }

  /**
   * Starts the process and returns at once.
   *
   * @throws LabException if the program can't be executed
   */
  public void start() throws LabException {
    if (isAlive()) {
      throw new IllegalStateException(name() + " is already running");
    }
    // The server gets its own session, because Ctrl-C in the terminal must reach only the lab,
    // which then stops its servers in order. setsid executes the command in its own process, so the
    // pid stays.
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(launch.command());
    Redirect log = Redirect.appendTo(log().toFile());
    Redirect output = launch.output() == null ? log : launch.output();
    ProcessBuilder builder =
        directory
            .processBuilder(command, launch.environment())
            .directory(launch.home().toFile())
            .redirectInput(
                Redirect.PIPE.equals(output) ? output : Redirect.from(new File("/dev/null")))
            .redirectOutput(output)
            .redirectError(log);
    try {
      Process started = builder.start();
      process = started;
      Files.writeString(directory.pidFile(name()), started.pid() + "\n");
    } catch (IOException e) {
      throw new LabException(name() + " can't be started: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the process that was started last.
   *
   * @throws IllegalStateException if the server was never started
   */
  public Process process() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException(name() + " was never started");
    }
    return current;
  }

  /**
   * Waits until the server is ready.
   *
   * @throws LabException if the server has ended, or is not ready in time
   */
  public void awaitReady(Duration timeout) throws LabException, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!isReady()) {
      requireAlive();
      if (System.nanoTime() - deadline > 0) {
        throw failure("does not serve after " + timeout.toSeconds() + " s");
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    requireAlive(); // If the server has ended, another program answers on its port.
  }

  private boolean isReady() {
    try {
      return readiness.isReady();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Throws if the server has ended.
   *
   * @throws LabException with the server's name, its exit status and the end of its log
   */
  public void requireAlive() throws LabException {
    Process current = process();
    if (!current.isAlive()) {
      throw failure("has ended with status " + current.exitValue());
    }
  }

  private LabException failure(String cause) {
    String tail = LogTail.of(log());
    String ending = tail.isEmpty() ? "is empty" : "ends:\n" + tail;
    return new LabException("%s %s; its log %s".formatted(name(), cause, ending));
  }

  /** Sends SIGTERM to the server, as an operator would, and returns at once. */
  public void requestStop() {
    running()
        .forEach(
            current -> {
              children = current.descendants().toList();
              current.destroy();
            });
  }

  /**
   * Waits for the end of the server after {@link #requestStop}. Then kills the server and its
   * remaining children.
   *
   * @return whether the server ended by itself with status 0, or never ran
   */
  public boolean awaitStop(Duration atMost) {
    Process current = process;
    if (current == null) {
      return true;
    }
    boolean hasEnded = awaitEnd(current, atMost);
    kill();
    endChildren();
    return hasEnded && current.exitValue() == 0;
  }

  /** Sends SIGKILL to the server, but not to its children. Returns when the server has ended. */
  public void kill() {
    Process current = process;
    if (current != null) {
      current.destroyForcibly();
      awaitEnd(current, Duration.ofDays(1)); // No process outlives SIGKILL for long.
      forgetPid();
    }
  }

  /**
   * Sends a signal to the server, but not to its children, and returns at once. To end the server,
   * call {@link #kill} or {@link #requestStop} instead, because these also handle its children and
   * its pid file.
   */
  public void signal(Signal signal) throws LabException, InterruptedException {
    signal.send(itself());
  }

  private Stream<Process> running() {
    return Stream.ofNullable(process).filter(Process::isAlive);
  }

  /** Whether the server's process exists. */
  public boolean isAlive() {
    return running().findAny().isPresent();
  }

  /**
   * Returns the id of the server's process, which is the ancestor of its children's processes.
   *
   * @throws IllegalStateException if the server was never started
   */
  public long pid() {
    return process().pid();
  }

  /** Returns the server's process and its descendants; empty if it does not run. */
  public List<ProcessHandle> processes() {
    return Stream.concat(itself().stream(), children().stream()).toList();
  }

  /** Returns only the server's process; empty if it does not run. */
  public List<ProcessHandle> itself() {
    return running().map(Process::toHandle).toList();
  }

  /** Returns the descendants of the server's process; empty if it does not run. */
  public List<ProcessHandle> children() {
    return running().flatMap(Process::descendants).toList();
  }

  /** Removes the pid file, because another process may soon have the same pid. */
  private void forgetPid() {
    try {
      Files.deleteIfExists(directory.pidFile(name()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits for the children, which end when their parent's pipe closes, and kills those that take
   * too long.
   */
  private void endChildren() {
    long deadline = System.nanoTime() + CHILDREN_TIMEOUT.toNanos();
    for (ProcessHandle child : children) {
      while (child.isAlive() && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      child.destroyForcibly();
    }
    children = List.of();
  }

  private static boolean awaitEnd(Process process, Duration atMost) {
    boolean isInterrupted = false;
    try {
      long deadline = System.nanoTime() + atMost.toNanos();
      while (true) {
        try {
          return process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          isInterrupted = true; // Stopping half way would leave a process behind.
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
