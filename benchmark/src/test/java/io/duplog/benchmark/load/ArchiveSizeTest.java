package io.duplog.benchmark.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ByteSize;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.archive.ArchiveSink;
import io.duplog.deliver.archive.ArchiveSinkConfig;
import io.duplog.deliver.archive.Compression;
import io.duplog.deliver.file.FileMode;
import io.duplog.deliver.file.FileSink;
import io.duplog.deliver.file.FileSinkConfig;
import io.duplog.deliver.line.LineFormat;
import io.duplog.observe.Conditions;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that an archive which forces every group to the disk is hardly larger than the same lines
 * in {@code gzip -6}. Prints the ratio, and the time beside that of the file sink.
 */
class ArchiveSizeTest {
  private static final int MESSAGES = 10_000;

  @TempDir private Path folder;

  private final SyslogText syslog = new SyslogText(ZoneOffset.UTC, 1000, 5424, 1_796_000_000_000L);
  private final DeliveryRequests deliveries = new DeliveryRequests();

  private DeliveryRequest[] groups(int messages) {
    DeliveryRequest[] groups = new DeliveryRequest[MESSAGES / messages];
    for (int i = 0; i < groups.length; i++) {
      String[] texts = new String[messages];
      for (int j = 0; j < messages; j++) {
        texts[j] = new String(syslog.message((long) i * messages + j), ISO_8859_1);
      }
      groups[i] = deliveries.ofMessages("g" + i, texts);
    }
    return groups;
  }

  private static long gzipBytes(DeliveryRequest[] groups) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) { // level 6, as gzip's default
      for (DeliveryRequest group : groups) {
        for (String text : DeliveryRequests.texts(group.batch())) {
          gzip.write((text + "\n").getBytes(ISO_8859_1));
        }
      }
    }
    return bytes.size();
  }

  /** Delivers one group after another, each when the one before is accepted. */
  private static double nanosPerMessage(Sink sink, DeliveryRequest[] groups) throws Exception {
    Semaphore accepted = new Semaphore(0);
    long start = System.nanoTime();
    for (DeliveryRequest group : groups) {
      sink.deliver(
          group.with(
              new DeliveryRequest.Callback() {
                @Override
                public void accepted() {
                  accepted.release();
                }

                @Override
                public void withdrawn() {}

                @Override
                public void refused(
                    int message, @Nullable String sink, String reason, Runnable kept) {}
              }));
      accepted.acquire();
    }
    long nanos = System.nanoTime() - start;
    sink.close();
    return (double) nanos / MESSAGES;
  }

  private double archive(Path root, Compression compression, DeliveryRequest[] groups)
      throws Exception {
    ArchiveSinkConfig config =
        new ArchiveSinkConfig(
            Files.createDirectory(root).toString(),
            "{bridge}-{n}",
            compression,
            LineFormat.MESSAGE,
            Duration.ofDays(300),
            new ByteSize(1 << 30),
            new ByteSize(0));
    return nanosPerMessage(ArchiveSink.open(config, context()), groups);
  }

  private static SinkContext context() {
    return SinkContext.ofOnly(line -> {}, Conditions.ofSystem());
  }

  private static long bytes(Path root) throws Exception {
    try (Stream<Path> files = Files.list(root)) {
      return files
          .filter(file -> !file.toString().endsWith(".jsonl"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  @Test
  void archive_isHardlyLargerThanGzip() throws Exception {
    for (int messages : new int[] {500, 50}) {
      DeliveryRequest[] groups = groups(messages);
      FileSinkConfig fileConfig =
          new FileSinkConfig(
              folder.resolve("merged-" + messages).toString(),
              LineFormat.MESSAGE,
              FileSinkConfig.Fsync.ALWAYS,
              Duration.ofSeconds(1),
              FileMode.parse("0640"));
      double file = nanosPerMessage(FileSink.open(fileConfig, context()), groups);
      for (Compression compression : Compression.values()) {
        Path root = folder.resolve(compression.name() + messages);
        double nanos = archive(root, compression, groups);
        double ratio = (double) bytes(root) / gzipBytes(groups);
        System.out.printf(
            Locale.ROOT,
            "%s, groups of %d: %.2f times gzip -6, %.2f times the file sink's time (%.0f ns)%n",
            compression,
            messages,
            ratio,
            nanos / file,
            nanos);
        if (messages == 500) {
          assertThat(ratio).isLessThan(1.15);
        }
      }
    }
  }
}
