package io.duplog.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a process's limits of threads, files and memory are read correctly from control
 * groups, /proc and systemd.
 */
class ProcessLimitsTest {
  private static final String LIMITS =
      """
      Limit                     Soft Limit           Hard Limit           Units
      Max processes             %s                %s                processes
      Max open files            1024                 524288               files
      """;

  @TempDir private Path root;

  @Test
  void of_groupAndParents_returnsLowestLimit() throws Exception {
    write("proc/self/limits", LIMITS.formatted("4096", "8000"));
    write("proc/self/cgroup", "0::/system.slice/duplog-bridge.service\n");
    write("sys/fs/cgroup/system.slice/duplog-bridge.service/pids.max", "8192\n");
    write("sys/fs/cgroup/system.slice/duplog-bridge.service/memory.max", "max\n");
    write("sys/fs/cgroup/system.slice/pids.max", "512\n");
    write("sys/fs/cgroup/system.slice/memory.max", "1000\n");

    assertThat(ProcessLimits.of(root, false, 7))
        .isEqualTo(new ProcessLimits("this process", 512, 524_288, 1000, 7));
  }

  /** A container sees its own group at the top, and may see the path of the group on the host. */
  @Test
  void of_container_returnsLimitsOfTopGroup() throws Exception {
    write("proc/self/cgroup", "0::/../../kubepods/pod1/c1\n");
    write("sys/fs/cgroup/pids.max", "300\n");
    write("sys/fs/cgroup/memory.max", "536870912\n");

    assertThat(ProcessLimits.of(root, false, 7))
        .isEqualTo(new ProcessLimits("this process", 300, ProcessLimits.NONE, 512 << 20, 7));
  }

  @Test
  void of_controlGroupsVersion1_areRead() throws Exception {
    write("proc/self/cgroup", "5:cpu,pids:/docker/x\n3:memory:/docker/x\n1:name=systemd:/x\n");
    write("sys/fs/cgroup/pids/docker/x/pids.max", "200\n");
    write("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "123456\n");

    ProcessLimits limits = ProcessLimits.of(root, false, 7);

    assertThat(limits.threads()).isEqualTo(200);
    assertThat(limits.memoryBytes()).isEqualTo(123_456);
  }

  @Test
  void of_root_ignoresLimitOfProcesses() throws Exception {
    write("proc/self/limits", LIMITS.formatted("100", "200"));

    assertThat(ProcessLimits.of(root, false, 7).threads()).isEqualTo(200);
    assertThat(ProcessLimits.of(root, true, 7).threads()).isEqualTo(ProcessLimits.NONE);
  }

  @Test
  void of_missingFiles_hasNoLimits() {
    assertThat(ProcessLimits.of(root, false, 7))
        .isEqualTo(
            new ProcessLimits(
                "this process", ProcessLimits.NONE, ProcessLimits.NONE, ProcessLimits.NONE, 7));
    assertThat(ProcessLimits.own().heapBytes()).isEqualTo(Runtime.getRuntime().maxMemory());
  }

  @Test
  void ofShown_unit_hasSystemdsLimits() {
    String output =
        """
        LoadState=loaded
        TasksMax=512
        LimitNPROC=63432
        LimitNOFILE=524288
        MemoryMax=infinity
        """;

    assertThat(ProcessLimits.ofShown("x.service", output, 7))
        .isEqualTo(new ProcessLimits("x.service", 512, 524_288, ProcessLimits.NONE, 7));
    assertThat(ProcessLimits.ofShown("x.service", "LoadState=not-found\nTasksMax=512\n", 7))
        .isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "-Xms144m -Xmx512m -Xmn96m, 536870912",
    "-Xmx512m -Xmx1g, 1073741824",
    "-Xmx2048K, 2097152",
    "-Xmx1000, 1000",
    "-Xms144m, 9223372036854775807"
  })
  void heap_options_usesLastXmx(String options, long bytes) {
    assertThat(ProcessLimits.heap(options)).isEqualTo(bytes);
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
