package io.duplog.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuLimitTest {
  @Test
  void controllers_ofVersion1_beginWithTheOwnGroup() {
    assertThat(
            CpuController.find(
                List.of(
                    "tmpfs /sys/fs/cgroup tmpfs rw,mode=755 0 0",
                    "cgroup /sys/fs/cgroup/cpuset cgroup rw,relatime,cpuset 0 0",
                    "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0"),
                List.of("9:name=systemd:/x", "4:cpu,cpuacct:/a/b", "3:cpuset:/y")))
        .containsExactly(
            new CpuController(1, Path.of("/sys/fs/cgroup/cpu,cpuacct/a/b")),
            new CpuController(1, Path.of("/sys/fs/cgroup/cpu,cpuacct/a")),
            new CpuController(1, Path.of("/sys/fs/cgroup/cpu,cpuacct")));
  }

  @Test
  void controllers_ofVersion2_endAtTheRoot() {
    assertThat(
            CpuController.find(
                List.of("cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0"),
                List.of("0::/user.slice/session-1.scope")))
        .containsExactly(
            new CpuController(2, Path.of("/sys/fs/cgroup/user.slice/session-1.scope")),
            new CpuController(2, Path.of("/sys/fs/cgroup/user.slice")),
            new CpuController(2, Path.of("/sys/fs/cgroup")));
  }

  @Test
  void group_ofVersion2_isAllowedItsPartOfEachPeriod(@TempDir Path root) throws IOException {
    Files.writeString(root.resolve("cgroup.subtree_control"), "memory pids\n");
    Path group = Files.createDirectory(root.resolve("group"));
    CpuController controller = new CpuController(2, root);
    controller.prepare();
    controller.limit(group, 50_000, 100_000);

    assertThat(root.resolve("cgroup.subtree_control")).hasContent("+cpu");
    assertThat(group.resolve("cpu.max")).hasContent("50000 100000");
  }

  @Test
  void group_ofVersion1_isAllowedItsPartOfEachPeriod(@TempDir Path group) throws IOException {
    new CpuController(1, group).limit(group, 200_000, 100_000);

    assertThat(group.resolve("cpu.cfs_quota_us")).hasContent("200000");
    assertThat(group.resolve("cpu.cfs_period_us")).hasContent("100000");
  }

  @Test
  void plan_withoutLimit_needsNothing() throws LabException {
    assertThat(CpuLimit.of(0).commandPrefix()).isEmpty();
  }

  @Test
  void plan_withLessThanNothing_isRefused(@TempDir Path root) {
    LabPlan plan = LabPlan.pair(root, new LabJars(root, root));
    assertThatThrownBy(() -> plan.withCores(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cores");
  }
}
