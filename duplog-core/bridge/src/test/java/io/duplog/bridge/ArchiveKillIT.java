package io.duplog.bridge;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.duplog.cli.Main;
import io.duplog.deliver.archive.ArchiveCheck;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that an archive has every accepted message after its bridge was killed repeatedly while it
 * delivered to a file and to the archive.
 */
class ArchiveKillIT extends BridgeBetweenServers {
  private static final int KILLS = 3;
  private static final int MESSAGES_A_ROUND = 3_000;

  @TempDir private Path folder;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endProcesses() throws Exception {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  private Process startProcess() throws Exception {
    String sinks =
        """
        sinks:
          merged: {type: file, file: {path: %s}}
          kept: {type: archive, archive: {folder: %s, line: message, max-size: 4KiB, min-free: 0B}}
        """
            .formatted(folder.resolve("merged.log"), folder.resolve("archive"));
    String yaml = yaml("one", "status: {listen: ''}").replace("sink: {type: stdout}\n", sinks);
    Path config = Files.writeString(folder.resolve("duplog.yaml"), yaml);
    Process process =
        new ProcessBuilder(
                Programs.java().toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "bridge",
                "--config",
                config.toString())
            .redirectErrorStream(true)
            .redirectOutput(output(processes.size()).toFile())
            .start();
    processes.add(process);
    return process;
  }

  private Path output(int process) {
    return folder.resolve("output-" + process);
  }

  private long mergedBytes() {
    return folder.resolve("merged.log").toFile().length();
  }

  private String[] parts() {
    return folder.resolve("archive").toFile().list((dir, name) -> name.contains(".part"));
  }

  private List<String> publishRound(int round, int from, int to) throws Exception {
    List<String> published = new ArrayList<>();
    for (int i = from; i < to; i += 100) {
      String[] messages =
          numbered(round * MESSAGES_A_ROUND + i, round * MESSAGES_A_ROUND + i + 100);
      publish(messages);
      published.addAll(Arrays.asList(messages));
    }
    return published;
  }

  private Set<String> archived() throws IOException {
    Set<String> lines = new HashSet<>();
    try (Stream<Path> files = Files.walk(folder.resolve("archive"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".zst")).toList()) {
        try (InputStream in = new ZstdInputStreamNoFinalizer(Files.newInputStream(file))) {
          new String(in.readAllBytes(), US_ASCII).lines().forEach(lines::add);
        }
      }
    }
    return lines;
  }

  @Test
  void killedBridge_leavesNoAcceptedMessageOutOfTheArchive() throws Exception {
    Files.createDirectory(folder.resolve("archive"));
    Set<String> published = new HashSet<>();
    int tornFiles = 0;
    for (int round = 0; round < KILLS; round++) {
      Process process = startProcess();
      long before = mergedBytes();
      published.addAll(publishRound(round, 0, 100));
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> mergedBytes() > before || !process.isAlive());
      assertThat(process.isAlive()).as(Files.readString(output(round))).isTrue();
      published.addAll(publishRound(round, 100, MESSAGES_A_ROUND));
      process.destroyForcibly().waitFor(); // SIGKILL, while the last batches are being delivered
      tornFiles += parts().length;
    }
    assertThat(tornFiles).isPositive();
    Process last = startProcess();
    awaitSettled();
    last.destroy();
    assertThat(last.waitFor(30, TimeUnit.SECONDS)).isTrue();

    assertThat(archived()).isEqualTo(published);
    try (Stream<String> merged = Files.lines(folder.resolve("merged.log"))) {
      assertThat(archived()).containsAll(merged.collect(toSet()));
    }
    assertThat(ArchiveCheck.of(folder.resolve("archive"), null, null).problems()).isEmpty();
    assertThat(parts()).isEmpty();
  }
}
