package io.duplog.deliver.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.config.ByteSize;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.line.LineSink;
import io.duplog.observe.Conditions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** An archive whose clock, disk and free space a test sets, and which it runs step by step. */
final class ArchiveStage {
  final Path root;
  final FaultyDisk disk = new FaultyDisk();
  final DeliveryRequests deliveries = new DeliveryRequests();
  final List<String> failures = new ArrayList<>();

  Compression compression = Compression.ZSTD;
  String bridge = "bridge-1";
  ByteSize maxSize = new ByteSize(1 << 20);
  long freeBytes = 1L << 40;
  Instant now = Instant.parse("2026-11-29T09:59:00Z");
  long nanos = 7;

  ArchiveStage(Path root) {
    this.root = root;
  }

  ArchiveSinkConfig config() {
    return new ArchiveSinkConfig(
        root.toString(),
        "%Y/%m/%d/%H/{bridge}-{n}.log",
        compression,
        LineFormat.MESSAGE,
        Duration.ofHours(1),
        maxSize,
        new ByteSize(1 << 30));
  }

  ArchiveOutput output() throws IOException {
    return new ArchiveOutput(
        config(),
        bridge,
        new ArchiveOutput.Environment(disk, () -> freeBytes, () -> now.toEpochMilli()));
  }

  /** Opens the archive, whose writer runs when the test calls it. */
  LineSink sink() throws IOException {
    Conditions board = new Conditions(() -> nanos, () -> now.toEpochMilli());
    return new LineSink(
        output(), LineFormat.MESSAGE, new SinkContext(bridge, "sink", true, failures::add, board));
  }

  void deliver(LineSink sink, String... messages) {
    for (String message : messages) {
      sink.deliver(deliveries.ofPlainBody(message, message));
    }
    nanos += Math.max(0, sink.runOnce());
  }

  /** Returns the closed files below the archive's folder, in their order. */
  List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .filter(file -> Compression.ofName(file) != null)
          .sorted()
          .toList();
    }
  }

  /** Returns the files that are not closed. */
  List<Path> parts() throws IOException {
    try (Stream<Path> all = Files.list(root)) {
      return all.filter(file -> file.toString().contains(ArchivePart.SUFFIX)).toList();
    }
  }

  List<ArchiveEntry> entries() throws IOException {
    List<ArchiveEntry> entries = new ArrayList<>();
    for (String line : Files.readAllLines(root.resolve(ArchiveIndex.name(bridge)))) {
      entries.add(ArchiveEntry.parse(line));
    }
    return entries;
  }

  String text(String file) throws IOException {
    Compression kind = Objects.requireNonNull(Compression.ofName(file), file);
    try (InputStream in = kind.decompress(Files.newInputStream(root.resolve(file)))) {
      return new String(in.readAllBytes(), ISO_8859_1);
    }
  }

  /** Returns the lines of all closed files. */
  String text() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String file : files()) {
      text.append(text(file));
    }
    return text.toString();
  }
}
