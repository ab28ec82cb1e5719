package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Appends the text of each event as a line to a file, without metadata. A line feed within an event
 * becomes {@code #012}, as rsyslog writes it. What is written is in the file when {@link #append}
 * returns, though not on the disk.
 */
public final class FileIndex implements Index, Closeable {
  private final OutputStream file;

  /** Guarded by this, like the file; grows to the largest request. */
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream(1 << 16);

  /**
   * @param path made where it does not exist, continued where it does
   */
  public FileIndex(Path path) throws IOException {
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

  @Override
  public void close() throws IOException {
    file.close();
  }
}
