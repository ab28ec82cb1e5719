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
 * The CPU time of processes that come and go. One that has ended counts with what it had used when
 * it was last looked at: whoever wants all of it looks shortly before it ends. One thread.
 */
public final class CpuAccount {
  private final Map<Role, Map<ProcessHandle, Duration>> processes = new EnumMap<>(Role.class);

  /**
   * By role, and by the kernel's number of the thread, which is that of no other thread or process.
   */
  private final Map<Role, Map<Long, Duration>> compilers = new EnumMap<>(Role.class);

  /** Looks at the processes that there are now, and remembers what each has used so far. */
  public void look(Map<Role, List<ProcessHandle>> running) {
    running.forEach(
        (role, handles) -> {
          Map<ProcessHandle, Duration> ofRole =
              processes.computeIfAbsent(role, any -> new HashMap<>());
          handles.forEach(
              handle ->
                  handle.info().totalCpuDuration().ifPresent(used -> ofRole.put(handle, used)));
        });
  }

  /** By role: user and system time since each process was started, to 10 ms a process. */
  public Map<Role, Duration> used() {
    Map<Role, Duration> used = new EnumMap<>(Role.class);
    processes.forEach((role, times) -> used.put(role, sum(times.values())));
    return used;
  }

  /**
   * By role: the time that Java machines have spent on making machine code since each was started,
   * as far as it was seen: threads that compile come and go, too.
   */
  public Map<Role, Duration> compiling(Map<Role, List<ProcessHandle>> running) {
    running.forEach(
        (role, handles) -> {
          Map<Long, Duration> threads = compilers.computeIfAbsent(role, any -> new HashMap<>());
          handles.forEach(process -> threads.putAll(ProcessUse.compilers(process.pid())));
        });
    return Maps.immutableEnumMap(Maps.transformValues(compilers, each -> sum(each.values())));
  }

  public static Duration sum(Collection<Duration> times) {
    return times.stream().reduce(Duration.ZERO, Duration::plus);
  }
}
