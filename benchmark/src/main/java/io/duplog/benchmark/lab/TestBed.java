package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import io.duplog.rig.ProcessUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Servers that take messages and write them somewhere: what a measurement knows of them, whichever
 * they are.
 */
public interface TestBed extends AutoCloseable {

  /**
   * Starts everything and returns when it serves.
   *
   * @param progress gets a line a stage
   * @throws LabException if a server fails, or this is closed meanwhile; {@link #close} must be
   *     called all the same
   */
  void start(Consumer<String> progress) throws LabException, InterruptedException;

  /** How often the sink is given each message where nothing goes wrong. */
  default int deliveries() {
    return 1;
  }

  /** The files that hold what was delivered, each one line a message. */
  List<Path> outputs();

  /**
   * Batches that wait where they can be counted; 0 where nothing is known of them.
   *
   * @throws IOException if they can't be counted now
   */
  long queued() throws IOException;

  /**
   * What each role's processes are now, with the children that they have. Snapshots, all of it. The
   * generator is this program: whatever it does.
   */
  Map<Role, List<ProcessHandle>> processes();

  /** The bytes of memory that each role's processes have now. */
  default Map<Role, Long> residentBytes() {
    Map<Role, Long> bytes = new EnumMap<>(Role.class);
    processes().forEach((role, processes) -> bytes.put(role, ProcessUse.residentBytes(processes)));
    return bytes;
  }

  /**
   * Throws if a server has ended that should run.
   *
   * @throws LabException names it, its exit status and the end of its log
   */
  void requireAlive() throws LabException;

  /**
   * Stops those that bring messages along, as an operator would, in their order.
   *
   * @return the names of those that did not end by themselves with status 0
   */
  List<String> stopPrograms();

  /** Stops everything that was started. Returns when no process is left. */
  @Override
  void close();
}
