package io.duplog.benchmark.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Counts the lines of one open file that grows, whatever its name is by now. A line without an end
 * is read again each time: a writer that ran out of disk may cut it and write another in its place.
 */
final class OpenTail implements AutoCloseable {
  private static final int CHUNK = 1 << 18;

  /** Counts a line, without its end. */
  @FunctionalInterface
  interface Lines {
    void line(byte[] bytes, int offset, int length);
  }

  private final FileChannel channel;
  private final Lines counter;
  private byte[] chunk = new byte[CHUNK];

  /** Behind the last line that was counted. */
  private long position;

  OpenTail(Path path, Lines counter) throws IOException {
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
    this.counter = counter;
  }

  void skipExisting() throws IOException {
    position = channel.size();
  }

  void poll() throws IOException {
    position = Math.min(position, channel.size());
    int length = fill();
    while (length > 0) {
      int counted = countLines(length);
      if (counted == 0 && length < chunk.length) {
        return; // one line without an end
      }
      if (counted == 0) {
        chunk = new byte[2 * chunk.length];
      }
      position += counted;
      length = fill();
    }
  }

  /** Reads from the position on, and returns how much it is. */
  private int fill() throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(chunk);
    while (buffer.hasRemaining()) {
      int count = channel.read(buffer, position + buffer.position());
      if (count <= 0) {
        break;
      }
    }
    return buffer.position();
  }

  /** Returns how many bytes the whole lines in the chunk have. */
  private int countLines(int length) {
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (chunk[i] == '\n') {
        counter.line(chunk, start, i - start);
        start = i + 1;
      }
    }
    return start;
  }

  void finish() throws IOException {
    poll();
    int length = fill();
    if (length > 0) {
      counter.line(chunk, 0, length);
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
