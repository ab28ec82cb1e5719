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
 * Reads the lines that a bridge appends to its output file, and notes when each appeared. It
 * records the file's length while the file grows, even after it was renamed. Its lines are read
 * later, each with the time of its appearance. A last line without a line feed is read again each
 * time. A writer whose disk is full may cut that line off and write another one.
 *
 * <p>Not thread-safe, except that {@link #look} may be called while another thread reads.
 */
final class GrowingFile implements AutoCloseable {
  private static final int INITIAL_CHUNK_BYTES = 1 << 18;

  /** Called for each line with its bytes, not including the line feed. */
  @FunctionalInterface
  interface LineListener {
    /**
     * Handles a line, without its line feed.
     *
     * @param nanos when the whole line was first in the file
     */
    void onLine(byte[] bytes, int offset, int length, long nanos);
  }

  private final FileChannel channel;
  private final LineListener listener;
  private byte[] chunk = new byte[INITIAL_CHUNK_BYTES];

  /** Time in nanoseconds at which the file was first seen with a length, by length in bytes. */
  private final ConcurrentSkipListMap<Long, Long> nanosByLength = new ConcurrentSkipListMap<>();

  /** Length of the file in bytes at the last look. */
  private volatile long size;

  /** Offset in the file after the last line that was read. */
  private long position;

  /**
   * Opens the file.
   *
   * @param skipsExisting whether to skip the current content of the file
   */
  GrowingFile(Path path, boolean skipsExisting, LineListener listener) throws IOException {
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
    this.listener = listener;
    if (skipsExisting) {
      size = channel.size();
      position = size;
    }
  }

  /** Records the file's length, and the time if the length has changed. */
  void look(LongSupplier clock) throws IOException {
    long length = channel.size();
    if (length != size) {
      Map.Entry<Long, Long> nextLongerLength =
          nanosByLength.ceilingEntry(length); // The writer may have cut some bytes off.
      // The time is read after the length, so that no arrival time is too early.
      nanosByLength.putIfAbsent(
          length, nextLongerLength == null ? clock.getAsLong() : nextLongerLength.getValue());
      nanosByLength.tailMap(length, false).clear();
      size = length;
    }
  }

  long size() {
    return size;
  }

  /** Returns when the file was first seen with at least this length. */
  private long nanosAt(long length) {
    Map.Entry<Long, Long> first = nanosByLength.ceilingEntry(length);
    return (first == null ? nanosByLength.lastEntry() : first).getValue();
  }

  /** Reads the complete lines since the last call, up to the length that was seen last. */
  void read() throws IOException {
    position = Math.min(position, size);
    for (int length = fill(); length > 0; length = fill()) {
      int read = readLines(length);
      if (read == 0 && length < chunk.length) {
        return; // The line is incomplete.
      }
      if (read == 0) {
        chunk = new byte[2 * chunk.length];
      }
      position += read;
      nanosByLength.headMap(position).clear();
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
        listener.onLine(chunk, start, i - start, nanosAt(position + i + 1));
        start = i + 1;
      }
    }
    return start;
  }

  /** Reads the remaining bytes, including a last line without a line feed. */
  void finish() throws IOException {
    read();
    int length = fill();
    if (length > 0) {
      listener.onLine(chunk, 0, length, nanosAt(position + length));
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
