package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/**
 * Appends the text of each event as a line to a file, without metadata. A line feed within an event
 * becomes {@code #012}, as rsyslog writes it. What is written is in the file when {@link #append}
 * returns, though not on the disk.
 */
public final class FileIndex implements Index, Closeable {
  private static final byte[] LINE_FEED = "#012".getBytes(UTF_8);

  private final FileChannel file;

  /** Guarded by this, like the file; grows to the largest request. */
  private byte[] lines = new byte[1 << 16];

  private int length;

  /**
   * @param path made where it does not exist, continued where it does
   */
  public FileIndex(Path path) throws IOException {
    this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Override
  public synchronized void append(List<HecEvent> events) throws IOException {
    length = 0;
    for (HecEvent event : events) {
      add(event.event());
    }
    ByteBuffer rest = ByteBuffer.wrap(lines, 0, length);
    while (rest.hasRemaining()) {
      file.write(rest);
    }
  }

  private void add(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    reserve(LINE_FEED.length * bytes.length + 1);
    if (text.indexOf('\n') < 0) {
      System.arraycopy(bytes, 0, lines, length, bytes.length);
      length += bytes.length;
    } else {
      for (byte one : bytes) {
        if (one == '\n') {
          System.arraycopy(LINE_FEED, 0, lines, length, LINE_FEED.length);
          length += LINE_FEED.length;
        } else {
          lines[length++] = one;
        }
      }
    }
    lines[length++] = '\n';
  }

  private void reserve(int more) {
    if (lines.length - length < more) {
      lines = Arrays.copyOf(lines, Math.max(2 * lines.length, length + more));
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
