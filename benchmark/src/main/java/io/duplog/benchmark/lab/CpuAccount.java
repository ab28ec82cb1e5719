package io.duplog.benchmark.lab;

import com.google.common.collect.Maps;
import io.duplog.rig.ProcessUse;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up the CPU time that a lab's processes use, including those that end during a measurement. A
 * process that has ended counts with its time at the last {@link #look}. Therefore call that method
 * shortly before a process ends. Not thread-safe.
 */
public final class CpuAccount {
  private final Map<Role, Map<ProcessHandle, Duration>> processTimes = new EnumMap<>(Role.class);

  /**
   * CPU time of each compiler thread, by role and kernel thread id. That id is unique on a machine.
   */
  private final Map<Role, Map<Long, Duration>> compilerTimes = new EnumMap<>(Role.class);

  /** Records the CPU time that each running process has used so far. */
  public void look(Map<Role, List<ProcessHandle>> running) {
    running.forEach(
        (role, handles) -> {
          Map<ProcessHandle, Duration> timesOfRole =
              processTimes.computeIfAbsent(role, any -> new HashMap<>());
          handles.forEach(
              handle ->
                  handle
                      .info()
                      .totalCpuDuration()
                      .ifPresent(used -> timesOfRole.put(handle, used)));
        });
  }

  /** Returns the user and system CPU time by role, with a resolution of 10 ms for each process. */
  public Map<Role, Duration> used() {
    return Maps.immutableEnumMap(Maps.transformValues(processTimes, each -> sum(each.values())));
  }

  /**
   * Records the CPU time of HotSpot's compiler threads, and returns it by role. If a compiler
   * thread ends, its CPU time since the last call is missing.
   */
  public Map<Role, Duration> compiling(Map<Role, List<ProcessHandle>> running) {
    running.forEach(
        (role, handles) -> {
          Map<Long, Duration> threads = compilerTimes.computeIfAbsent(role, any -> new HashMap<>());
          handles.forEach(process -> threads.putAll(ProcessUse.compilers(process.pid())));
        });
    return Maps.immutableEnumMap(Maps.transformValues(compilerTimes, each -> sum(each.values())));
  }

  public static Duration sum(Collection<Duration> times) {
    return times.stream().reduce(Duration.ZERO, Duration::plus);
  }
}
