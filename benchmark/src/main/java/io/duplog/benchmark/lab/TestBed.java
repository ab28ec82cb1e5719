package io.duplog.benchmark.lab;

import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.ProcessUse;
import io.duplog.rig.Server;
import io.duplog.rig.Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Servers that receive messages and write them to files, so that Duplog and its alternatives are
 * measured in the same way.
 */
public abstract class TestBed implements AutoCloseable {
  protected final LabDirectory directory;

  /**
   * The servers in the order in which they are started. Subclasses add them in their constructors.
   */
  protected final Servers servers;

  protected TestBed(Path home) throws LabException {
    directory = new LabDirectory(home);
    servers = new Servers(directory);
  }

  /**
   * Starts all servers, and returns when they are ready.
   *
   * @param progress receives a line for each stage
   * @throws LabException if a server fails, or this object is closed meanwhile; {@link #close} must
   *     be called even then
   */
  public final void start(Consumer<String> progress) throws LabException, InterruptedException {
    servers.start(progress);
  }

  /** Returns how often the sink gets each message if there are no faults. */
  public int deliveries() {
    return 1;
  }

  /** Returns the files with the delivered messages, one line for each message. */
  public abstract List<Path> outputs();

  /**
   * Returns the number of batches that wait in queues; 0 if the servers don't report it.
   *
   * @throws IOException if the batches can't be counted now
   */
  public abstract long queued() throws IOException;

  /**
   * Returns a snapshot of the running processes of each role, with their child processes. The
   * generator is this program itself.
   */
  public abstract Map<Role, List<ProcessHandle>> processes();

  /** Returns the running processes of several servers, with their child processes. */
  protected static List<ProcessHandle> processes(List<Server> servers) {
    return servers.stream().flatMap(server -> server.processes().stream()).toList();
  }

  /** Returns the resident memory of each role's processes in bytes. */
  public final Map<Role, Long> residentBytes() {
    Map<Role, Long> bytes = new EnumMap<>(Role.class);
    processes().forEach((role, processes) -> bytes.put(role, ProcessUse.residentBytes(processes)));
    return bytes;
  }

  /**
   * Throws if a server has ended that should run.
   *
   * @throws LabException with the server's name, its exit status and the end of its log
   */
  public final void requireAlive() throws LabException {
    servers.requireAlive();
  }

  /**
   * Stops the programs that pass messages on, from the first to the last, as an operator would.
   *
   * @return the names of the programs that did not end by themselves with status 0
   */
  public abstract List<String> stopPrograms();

  /** Stops all servers that were started. Returns when no process is left. */
  @Override
  public void close() {
    servers.close();
  }
}
