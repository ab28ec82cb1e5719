package io.duplog.deliver.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import io.duplog.config.ByteSize;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.archive.ArchiveCheck;
import io.duplog.deliver.archive.ArchiveSink;
import io.duplog.deliver.archive.ArchiveSinkConfig;
import io.duplog.deliver.archive.Compression;
import io.duplog.deliver.line.LineFormat;
import io.duplog.observe.Conditions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests on a real disk that the file sink and the archive lose nothing and leave whole lines while
 * the disk is full. Needs root, because the test mounts a file system of 1 MiB.
 */
@Timeout(120)
class FullDiskIT {
  private static final int MESSAGES = 400;

  @TempDir private Path folder;

  private final DeliveryRequests deliveries = new DeliveryRequests();

  @BeforeEach
  void mountSmallDisk() throws Exception {
    run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.toString());
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", folder.toString());
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue())
        .as("%s (this test needs root): %s", String.join(" ", command), output)
        .isZero();
  }

  private static String message(int index) {
    return "message " + index + " " + Integer.toString(index % 10).repeat(997 + 10 * index);
  }

  @Test
  void fullDisk_stopsAccepting_leavesWholeLines_andRecoversByItself() throws Exception {
    Path ballast = Files.write(folder.resolve("ballast"), new byte[700_000]);
    Path file = folder.resolve("merged.log");
    StringBuilder expected = new StringBuilder();
    try (Sink sink =
        FileSink.open(
            FileSinkTest.config(file, "0640"),
            SinkContext.ofOnly(line -> {}, Conditions.ofSystem()))) {
      int delivered = 0;
      // Lines come until none fits any more: the disk has room for about 340 kB.
      while (expected.length() < 400_000) {
        expected.append(message(delivered)).append('\n');
        sink.deliver(deliveries.ofPlainBody("p" + delivered, message(delivered)));
        delivered++;
      }
      int all = delivered;
      // Again and again, because a look may fall between a failed write and its rollback.
      Awaitility.await()
          .untilAsserted(
              () -> {
                String stuck = Files.readString(file);
                assertThat(stuck).hasSizeGreaterThan(300_000).endsWith("\n");
                assertThat(expected.toString()).startsWith(stuck);
              });
      assertThat(deliveries.accepted().size()).isLessThan(all);

      Files.delete(ballast);
      Awaitility.await().until(() -> deliveries.accepted().size() == all);
    }
    assertThat(Files.readString(file)).isEqualTo(expected.toString());
    assertThat(deliveries.accepted()).hasSizeLessThan(MESSAGES).doesNotHaveDuplicates();
  }

  /** The messages hardly shrink, so that the archive's files fill the disk. */
  @Test
  void fullArchive_stopsAccepting_andContinuesWhenThereIsSpace() throws Exception {
    Path ballast = Files.write(folder.resolve("ballast"), new byte[700_000]);
    ArchiveSinkConfig config =
        new ArchiveSinkConfig(
            folder.toString(),
            "%Y/{bridge}-{n}.log",
            Compression.GZIP,
            LineFormat.MESSAGE,
            Duration.ofHours(1),
            new ByteSize(100_000),
            new ByteSize(0));
    List<String> expected = new ArrayList<>();
    try (Sink sink =
        ArchiveSink.open(
            config, new SinkContext("b", "sink", true, line -> {}, Conditions.ofSystem()))) {
      for (int i = 0; i < MESSAGES; i++) {
        StringBuilder message = new StringBuilder();
        for (int j = 0; j < 20; j++) {
          message.append(Hashing.sha512().hashInt(1000 * i + j));
        }
        expected.add(message.toString());
        sink.deliver(deliveries.ofPlainBody("p" + i, message.toString()));
      }
      Awaitility.await().until(() -> !sink.isAvailable());
      assertThat(deliveries.accepted()).hasSizeLessThan(MESSAGES);

      Files.delete(ballast);
      Awaitility.await().until(() -> deliveries.accepted().size() == MESSAGES);
    }
    assertThat(ArchiveCheck.of(folder, null, null).problems()).isEmpty();
    List<String> archived = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".gz")).sorted().toList()) {
        try (InputStream lines = new GZIPInputStream(Files.newInputStream(file))) {
          new String(lines.readAllBytes(), UTF_8).lines().forEach(archived::add);
        }
      }
    }
    assertThat(archived).isEqualTo(expected);
  }
}
