package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

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

  /** How many ways in there are: a sender sends each message to all of them. */
  int streams();

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

  /** What each role's processes are now, with the children that they have. Snapshots, all of it. */
  Map<Role, List<ProcessHandle>> processes();

  /**
   * The CPU time that each role's processes have used since they started. A process that ended
   * meanwhile no longer counts. The generator's is that of this program: whatever it does.
   */
  default Map<Role, Duration> cpu() {
    return each(ProcessUse::cpu);
  }

  /** The bytes of memory that each role's processes have now. */
  default Map<Role, Long> residentBytes() {
    return each(ProcessUse::residentBytes);
  }

  private <T> Map<Role, T> each(Function<List<ProcessHandle>, T> use) {
    Map<Role, T> uses = new EnumMap<>(Role.class);
    processes().forEach((role, processes) -> uses.put(role, use.apply(processes)));
    return uses;
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
