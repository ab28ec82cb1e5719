package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.collector.HecEvent;
import io.duplog.collector.Index;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Stores each event that the stand-in for Splunk receives as a line of a file, so that it can be
 * compared with what was sent. A line feed within an event becomes {@code #012}, as rsyslog writes
 * it. When {@link #append} returns, the lines are written to the file, but not synced to the disk.
 * The file stays open until the process ends. Thread-safe.
 */
final class FileIndex implements Index {
  private final OutputStream file;

  /**
   * Reused buffer for the lines of one request, as large as the largest request so far. Guarded by
   * this, like the file.
   */
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream(1 << 16);

  /**
   * Opens the file.
   *
   * @param path file to append to; created if it does not exist
   */
  FileIndex(Path path) throws IOException {
    this.file = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Override
  public synchronized void append(List<HecEvent> events) throws IOException {
    lines.reset();
    for (HecEvent event : events) {
      lines.writeBytes(event.event().replace("\n", "#012").getBytes(UTF_8));
      lines.write('\n');
    }
    lines.writeTo(file);
  }
}
