package io.duplog.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the memory and the processor time of a process are read correctly from Linux. */
class ProcessUseTest {
  private static final List<String> STATUS =
      List.of("Name:\tjava", "VmHWM:\t  900 kB", "VmRSS:\t  123 kB");

  @Test
  void parseResident_statusLines_isInBytes() {
    assertThat(ProcessUse.parseResident(STATUS)).isEqualTo(123 * 1024);
    assertThat(ProcessUse.parseResident(List.of("Name:\tkthreadd"))).isZero();
  }

  @Test
  void parseTime_nameWithSpacesAndParentheses_isUserAndSystemTime() {
    String stat = "4711 (C2 (of) Thre) S 1 4711 4711 0 -1 1077936192 5 0 0 0 150 25 0 0 20 0 12 0";
    assertThat(ProcessUse.parseTime(stat)).hasMillis(1_750);
  }

  @Test
  void processUse_ownAndUnknownProcess_hasValuesOrNone() {
    assertThat(ProcessUse.residentBytes(List.of(ProcessHandle.current()))).isPositive();
    assertThat(ProcessUse.compilers(ProcessHandle.current().pid())).isNotEmpty();
    assertThat(ProcessUse.compilers(Long.MAX_VALUE)).isEmpty();
  }
}
