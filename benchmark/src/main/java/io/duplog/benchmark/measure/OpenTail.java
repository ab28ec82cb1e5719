package io.duplog.benchmark.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Counts the lines of an open file that grows, even after it was renamed. A last line without a
 * line feed is read again each time, because a writer whose disk is full may cut it off and write
 * another one.
 */
final class OpenTail implements AutoCloseable {
  private static final int CHUNK = 1 << 18;

  /** Called for each line with its bytes, not including the line feed. */
  @FunctionalInterface
  interface Lines {
    void line(byte[] bytes, int offset, int length);
  }

  private final FileChannel channel;
  private final Lines counter;
  private byte[] chunk = new byte[CHUNK];

  /** Offset in the file after the last line that was counted. */
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
    for (int length = fill(); length > 0; length = fill()) {
      int counted = countLines(length);
      if (counted == 0 && length < chunk.length) {
        return; // an incomplete line
      }
      if (counted == 0) {
        chunk = new byte[2 * chunk.length];
      }
      position += counted;
    }
  }

  /** Reads bytes from the position on into {@link #chunk}, and returns the number of bytes. */
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

  /** Passes on the complete lines in the chunk, and returns their total length in bytes. */
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
