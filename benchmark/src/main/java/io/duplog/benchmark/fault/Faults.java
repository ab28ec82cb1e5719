package io.duplog.benchmark.fault;

import java.util.List;
import java.util.stream.Stream;

/** All faults, in the order of the table. */
public final class Faults {
  private Faults() {}

  public static List<Fault> all() {
    return Stream.of(
            ProcessFaults.all(),
            HostFaults.all(),
            NetworkFaults.all(),
            RedisFaults.all(),
            FailoverFaults.all(),
            BrokerFaults.all(),
            DiskQueueFaults.all(),
            List.of(ProcessFaults.misnamed()),
            FileFaults.all(),
            HecFaults.all(),
            DeadLetterFaults.all(),
            StatusFaults.all(),
            CombinedFaults.all())
        .flatMap(List::stream)
        .toList();
  }
}
