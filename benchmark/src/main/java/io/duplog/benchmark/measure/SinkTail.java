package io.duplog.benchmark.measure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Counts the lines of a file that grows. One thread at a time. */
final class SinkTail {
  private static final int CHUNK = 1 << 18;

  private final Path file;
  private final Tally tally;
  private byte[] pending = new byte[CHUNK];
  private int pendingLength;
  private long position;
  private long lines;

  /**
   * @param file need not exist yet
   * @param tally counts each line, without its end
   */
  SinkTail(Path file, Tally tally) {
    this.file = file;
    this.tally = tally;
  }

  /** Counts the whole lines that were added since the last call. */
  void poll() throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.position(position);
      while (true) {
        if (pendingLength == pending.length) {
          pending = Arrays.copyOf(pending, 2 * pending.length);
        }
        int count =
            channel.read(ByteBuffer.wrap(pending, pendingLength, pending.length - pendingLength));
        if (count <= 0) {
          return;
        }
        position += count;
        int searched = pendingLength;
        pendingLength += count;
        countLines(searched);
      }
    }
  }

  private void countLines(int from) {
    int start = 0;
    for (int i = from; i < pendingLength; i++) {
      if (pending[i] == '\n') {
        count(start, i - start);
        start = i + 1;
      }
    }
    pendingLength -= start;
    System.arraycopy(pending, start, pending, 0, pendingLength);
  }

  /** Counts what is left behind the last end of a line: a torn line, where there should be none. */
  void finish() throws IOException {
    poll();
    if (pendingLength > 0) {
      count(0, pendingLength);
      pendingLength = 0;
    }
  }

  private void count(int offset, int length) {
    tally.add(pending, offset, length);
    lines++;
  }

  /** How many lines were counted. */
  long lines() {
    return lines;
  }
}
