package io.duplog.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessUseTest {
  private static final List<String> STATUS =
      List.of("Name:\tjava", "VmHWM:\t  900 kB", "VmRSS:\t  123 kB", "Cpus_allowed_list:\t0-2,5");

  @Test
  void residentMemory_isInBytes() {
    assertThat(ProcessUse.parseResident(STATUS)).isEqualTo(123 * 1024);
    assertThat(ProcessUse.parseResident(List.of("Name:\tkthreadd"))).isZero();
  }

  @Test
  void allowedProcessors_ofRangesAndNumbers_areAllNamed() {
    assertThat(ProcessUse.parseAllowed(STATUS)).containsExactly(0, 1, 2, 5);
  }

  @Test
  void ownProcess_hasUsedBoth() {
    List<ProcessHandle> self = List.of(ProcessHandle.current());
    assertThat(ProcessUse.cpu(self)).isPositive();
    assertThat(ProcessUse.residentBytes(self)).isPositive();
  }
}
