package io.duplog.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests that the processor time of a lab's servers is added up correctly, including that of
 * processes which have ended.
 */
class CpuTest {
  private final CpuAccount cpuAccount = new CpuAccount();

  @Test
  void used_processEnded_countsLastReading() throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; read x")
            .start();
    while (readUsed(shell.toHandle()).isZero()) {
      Thread.onSpinWait();
    }
    Duration lastReading = cpuAccount.used().get(Role.SHIM);
    shell.destroyForcibly();
    shell.waitFor();

    assertThat(readUsed(shell.toHandle())).isEqualTo(lastReading);
    cpuAccount.look(Map.of(Role.SHIM, List.of()));
    assertThat(cpuAccount.used()).containsEntry(Role.SHIM, lastReading);
  }

  @Test
  void used_ownProcess_hasProcessorAndCompilerTime() {
    Map<Role, List<ProcessHandle>> self = Map.of(Role.GENERATOR, List.of(ProcessHandle.current()));
    cpuAccount.look(self);
    assertThat(cpuAccount.used().get(Role.GENERATOR)).isPositive();
    assertThat(cpuAccount.compiling(self)).containsOnlyKeys(Role.GENERATOR);
  }

  private Duration readUsed(ProcessHandle process) {
    cpuAccount.look(Map.of(Role.SHIM, List.of(process)));
    return cpuAccount.used().get(Role.SHIM);
  }
}
