package io.duplog.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much of the processors servers may use, and have used. */
class CpuTest {
  private @TempDir Path root;
  private final CpuAccount account = new CpuAccount();

  @Test
  void group_ofVersion1_isAllowedItsPartOfEachPeriod_belowTheOwnGroup() throws Exception {
    Path own = Files.createDirectories(root.resolve("cpu,cpuacct/a/b"));

    CpuLimit limit =
        limit(
            2.5,
            "tmpfs %s tmpfs rw,mode=755 0 0\n".formatted(root)
                + "cgroup %s/cpuset cgroup rw,relatime,cpuset 0 0\n".formatted(root)
                + "cgroup %s/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0\n".formatted(root),
            "9:name=systemd:/x\n4:cpu,cpuacct:/a/b\n3:cpuset:/y\n");

    assertThat(limit).hasToString("2.5 cores by cgroup v1");
    Path group = groupBelow(own);
    assertThat(group.resolve("cpu.cfs_quota_us")).hasContent("250000");
    assertThat(group.resolve("cpu.cfs_period_us")).hasContent("100000");
    assertThat(limit.commandPrefix()).endsWith(group.resolve("cgroup.procs").toString());
  }

  @Test
  void group_ofVersion2_isMadeAboveOnesThatCanHaveNone() throws Exception {
    Path slice = Files.createDirectories(root.resolve("user.slice"));
    Files.writeString(slice.resolve("cgroup.subtree_control"), "memory pids\n");
    Files.createDirectories(slice.resolve("session-1.scope/cgroup.subtree_control"));

    CpuLimit limit =
        limit(
            0.5,
            "cgroup2 %s cgroup2 rw,nosuid 0 0\n".formatted(root),
            "0::/user.slice/session-1.scope\n");

    assertThat(limit).hasToString("0.5 cores by cgroup v2");
    assertThat(slice.resolve("cgroup.subtree_control")).hasContent("+cpu");
    assertThat(groupBelow(slice).resolve("cpu.max")).hasContent("50000 100000");
  }

  @Test
  void withoutControlGroups_wholeProcessors_areByAffinity_andPartsAreRefused() throws Exception {
    CpuLimit limit = limit(1, "tmpfs / tmpfs rw 0 0\n", "0::/\n");
    assertThat(limit).hasToString("1.0 cores by affinity");
    assertThat(limit.commandPrefix()).hasSize(3).last().asString().matches("\\d+");

    assertThatThrownBy(() -> limit(0.5, "tmpfs / tmpfs rw 0 0\n", "0::/\n"))
        .isInstanceOf(LabException.class)
        .hasMessage(
            "can't hold servers to 0.5 cores: no control groups for processors are mounted");
  }

  @Test
  void plan_withoutLimit_needsNothing() throws LabException {
    assertThat(CpuLimit.of(0).commandPrefix()).isEmpty();
  }

  @Test
  void plan_withLessThanNothing_isRefused() {
    LabPlan plan = LabPlan.pair(root, new LabJars(root, root));
    assertThatThrownBy(() -> plan.withCores(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cores");
  }

  private CpuLimit limit(double cores, String mounts, String own) throws Exception {
    Path mountsFile = Files.writeString(root.resolve("mounts"), mounts);
    Path ownFile = Files.writeString(root.resolve("own"), own);
    return CpuLimit.of(cores, List.of(mountsFile.toString(), ownFile.toString()));
  }

  private static Path groupBelow(Path parent) throws IOException {
    try (var groups = Files.newDirectoryStream(parent, "duplog-lab-*")) {
      return groups.iterator().next();
    }
  }

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
    assertThat(account.compiling(self)).isGreaterThanOrEqualTo(Duration.ZERO);
  }

  private Duration used(ProcessHandle process) {
    account.look(Map.of(Role.SHIM, List.of(process)));
    return account.used().get(Role.SHIM);
  }
}
