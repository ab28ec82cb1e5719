package io.duplog.benchmark.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;

/**
 * An open file that grows, even after it was renamed. Its length is noted while it grows; its lines
 * are read later, each with the time at which it was there. A last line without a line feed is read
 * again each time, because a writer whose disk is full may cut it off and write another one.
 *
 * <p>One thread at a time may call {@link #look}, and one may read meanwhile.
 */
final class GrowingFile implements AutoCloseable {
  private static final int CHUNK = 1 << 18;

  /** Called for each line with its bytes, not including the line feed. */
  @FunctionalInterface
  interface Lines {
    /**
     * Takes a line, without its line feed.
     *
     * @param nanos when the whole line was first in the file
     */
    void line(byte[] bytes, int offset, int length, long nanos);
  }

  private final FileChannel channel;
  private final Lines lines;
  private byte[] chunk = new byte[CHUNK];

  /** Time in nanoseconds at which the file was first seen with a length, by length in bytes. */
  private final ConcurrentSkipListMap<Long, Long> times = new ConcurrentSkipListMap<>();

  /** Length of the file in bytes when it was last looked at. */
  private volatile long size;

  /** Offset in the file after the last line that was read. */
  private long position;

  /**
   * Opens the file.
   *
   * @param skipsExisting whether to skip what the file contains now
   */
  GrowingFile(Path path, boolean skipsExisting, Lines lines) throws IOException {
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
    this.lines = lines;
    if (skipsExisting) {
      size = channel.size();
      position = size;
    }
  }

  /** Notes the file's length, and the time if the length has changed. */
  void look(LongSupplier clock) throws IOException {
    long length = channel.size();
    if (length != size) {
      Map.Entry<Long, Long> longer = times.ceilingEntry(length); // if the writer has cut some off
      // The time is read after the length, so that no arrival is earlier than it was.
      times.putIfAbsent(length, longer == null ? clock.getAsLong() : longer.getValue());
      times.tailMap(length, false).clear();
      size = length;
    }
  }

  long size() {
    return size;
  }

  /** Returns when the file was first seen with at least this length. */
  private long nanosAt(long length) {
    Map.Entry<Long, Long> first = times.ceilingEntry(length);
    return (first == null ? times.lastEntry() : first).getValue();
  }

  /** Reads the complete lines since the last call, up to the length that was seen last. */
  void read() throws IOException {
    position = Math.min(position, size);
    for (int length = fill(); length > 0; length = fill()) {
      int read = readLines(length);
      if (read == 0 && length < chunk.length) {
        return; // an incomplete line
      }
      if (read == 0) {
        chunk = new byte[2 * chunk.length];
      }
      position += read;
      times.headMap(position).clear();
    }
  }

  /** Reads bytes from the position on into {@link #chunk}, and returns the number of bytes. */
  private int fill() throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(chunk);
    buffer.limit((int) Math.min(chunk.length, Math.max(0, size - position)));
    while (buffer.hasRemaining()) {
      int count = channel.read(buffer, position + buffer.position());
      if (count <= 0) {
        break;
      }
    }
    return buffer.position();
  }

  /** Passes on the complete lines in the chunk, and returns their total length in bytes. */
  private int readLines(int length) {
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (chunk[i] == '\n') {
        lines.line(chunk, start, i - start, nanosAt(position + i + 1));
        start = i + 1;
      }
    }
    return start;
  }

  /** Reads the rest, including a last line without a line feed. */
  void finish() throws IOException {
    read();
    int length = fill();
    if (length > 0) {
      lines.line(chunk, 0, length, nanosAt(position + length));
      position += length;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
