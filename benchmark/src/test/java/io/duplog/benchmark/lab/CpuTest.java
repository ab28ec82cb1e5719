package io.duplog.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests how much of the processors servers have used. */
class CpuTest {
  private final CpuAccount account = new CpuAccount();

  @Test
  void processThatHasEnded_countsWithItsLastReading() throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; read x")
            .start();
    while (used(shell.toHandle()).isZero()) {
      Thread.onSpinWait();
    }
    Duration seen = account.used().get(Role.SHIM);
    shell.destroyForcibly();
    shell.waitFor();

    assertThat(used(shell.toHandle())).isEqualTo(seen);
    account.look(Map.of(Role.SHIM, List.of()));
    assertThat(account.used()).containsEntry(Role.SHIM, seen);
  }

  @Test
  void ownProcess_hasUsedSome_andCompiledSome() {
    Map<Role, List<ProcessHandle>> self = Map.of(Role.GENERATOR, List.of(ProcessHandle.current()));
    account.look(self);
    assertThat(account.used().get(Role.GENERATOR)).isPositive();
    assertThat(account.compiling(self)).containsOnlyKeys(Role.GENERATOR);
  }

  private Duration used(ProcessHandle process) {
    account.look(Map.of(Role.SHIM, List.of(process)));
    return account.used().get(Role.SHIM);
  }
}
