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
 * One server process with a log and a pid file. It can be started again after it ended, with the
 * same ports and files, as a server comes back after a reboot.
 *
 * <p>One thread at a time starts it; any thread may ask it to stop, and for its state.
 */
public final class Server {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration CHILDREN_GRACE = Duration.ofSeconds(2);

  /**
   * How a server is started.
   *
   * @param name how messages and files call it, such as {@code rabbitmq-syslog-a}
   * @param environment added to the lab's few variables; the caller's are not inherited
   * @param home its working directory, which exists
   * @param output where its standard output goes; null for its log, as its standard error does. A
   *     pipe means that its standard input is one, too; else it has none
   */
  public record Launch(
      String name,
      List<String> command,
      Map<String, String> environment,
      Path home,
      @Nullable Redirect output) {

    /** Without input, and with all that it says in its log. */
    public Launch(String name, List<String> command, Map<String, String> environment, Path home) {
      this(name, command, environment, home, null);
    }
  }

  /** Whether a server serves by now. An exception means no. */
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

  /** How messages and files call it, such as {@code rabbitmq-syslog-a}. */
  public String name() {
    return launch.name();
  }

  /** What it writes to stdout and stderr, from its first start on. */
  public Path log() {
    return directory.log(name());
  }

  /**
   * Starts the process and returns at once.
   *
   * @throws LabException if its program can't be executed
   */
  public void start() throws LabException {
    if (isAlive()) {
      throw new IllegalStateException(name() + " runs already");
    }
    // A session of its own: Ctrl-C in the terminal must reach only the lab, which then stops its
    // servers in order. setsid executes the command in its own process, so the pid stays.
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
   * What was started last.
   *
   * @throws IllegalStateException if it was never started
   */
  public Process process() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException(name() + " was never started");
    }
    return current;
  }

  /**
   * Waits until it serves.
   *
   * @throws LabException if it died, or does not serve by then
   */
  public void awaitReady(Duration atMost) throws LabException, InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!isReady()) {
      requireAlive();
      if (System.nanoTime() - deadline > 0) {
        throw failure("does not serve after " + atMost.toSeconds() + " s");
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    requireAlive(); // or something else serves on its port
  }

  private boolean isReady() {
    try {
      return readiness.isReady();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Throws where it has ended.
   *
   * @throws LabException names it, its exit status and the end of its log
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

  /** Asks it to end, as an operator does: SIGTERM. Returns at once. */
  public void requestStop() {
    running()
        .forEach(
            current -> {
              children = current.descendants().toList();
              current.destroy();
            });
  }

  /**
   * Waits for the end that {@link #requestStop} asked for, then ends by force what is left of it
   * and of the children that it had then.
   *
   * @return whether it ended by itself and with status 0, or never ran
   */
  public boolean awaitStop(Duration atMost) {
    Process current = process;
    if (current == null) {
      return true;
    }
    boolean byItself = ended(current, atMost);
    kill();
    endChildren();
    return byItself && current.exitValue() == 0;
  }

  /** SIGKILL to the server alone, not to its children. Returns when it is gone. */
  public void kill() {
    Process current = process;
    if (current != null) {
      current.destroyForcibly();
      ended(current, Duration.ofDays(1)); // the kernel does it, or nobody can
      forgetPid();
    }
  }

  /**
   * Sends a signal to the server alone, not to its children, and returns at once. To end it, {@link
   * #kill} and {@link #requestStop} are the ways: they see to the rest.
   */
  public void signal(Signal signal) throws LabException, InterruptedException {
    signal.send(itself());
  }

  private Stream<Process> running() {
    return Stream.ofNullable(process).filter(Process::isAlive);
  }

  /** Whether its process exists. */
  public boolean isAlive() {
    return running().findAny().isPresent();
  }

  /**
   * The id of its process, which has also those of its children beneath it.
   *
   * @throws IllegalStateException if it was never started
   */
  public long pid() {
    return process().pid();
  }

  /** Itself, if it runs, and the programs that it has started, and theirs. */
  public List<ProcessHandle> processes() {
    return Stream.concat(itself().stream(), children().stream()).toList();
  }

  /** Itself alone, if it runs. */
  public List<ProcessHandle> itself() {
    return running().map(Process::toHandle).toList();
  }

  /** The programs that it has started, and theirs, if it runs. */
  public List<ProcessHandle> children() {
    return running().flatMap(Process::descendants).toList();
  }

  /** Its pid may soon be another process's. */
  private void forgetPid() {
    try {
      Files.deleteIfExists(directory.pidFile(name()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Children end when their parent's pipe closes; the grace is for those that have work left. */
  private void endChildren() {
    long deadline = System.nanoTime() + CHILDREN_GRACE.toNanos();
    for (ProcessHandle child : children) {
      while (child.isAlive() && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      child.destroyForcibly();
    }
    children = List.of();
  }

  private static boolean ended(Process process, Duration atMost) {
    boolean interrupted = false;
    try {
      long deadline = System.nanoTime() + atMost.toNanos();
      while (true) {
        try {
          return process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true; // to stop half way would leave a process behind
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
