package io.duplog.benchmark.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Counts the lines of one open file that grows, whatever its name is by now. */
final class OpenTail implements AutoCloseable {
  private static final int CHUNK = 1 << 18;

  private final FileChannel channel;
  private final SinkTail.Lines counter;
  private byte[] pending = new byte[CHUNK];
  private int pendingLength;
  private long position;

  OpenTail(Path path, SinkTail.Lines counter) throws IOException {
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
    this.counter = counter;
  }

  void skipExisting() throws IOException {
    position = channel.size();
  }

  void poll() throws IOException {
    forgetWhatWasCut();
    while (true) {
      if (pendingLength == pending.length) {
        pending = Arrays.copyOf(pending, 2 * pending.length);
      }
      ByteBuffer free = ByteBuffer.wrap(pending, pendingLength, pending.length - pendingLength);
      int count = channel.read(free, position);
      if (count <= 0) {
        return;
      }
      position += count;
      int searched = pendingLength;
      pendingLength += count;
      countLines(searched);
    }
  }

  /** A writer that ran out of disk cuts the torn line that it left. */
  private void forgetWhatWasCut() throws IOException {
    long size = channel.size();
    if (size < position) {
      pendingLength = (int) Math.max(0, pendingLength - (position - size));
      position = size;
    }
  }

  private void countLines(int from) {
    int start = 0;
    for (int i = from; i < pendingLength; i++) {
      if (pending[i] == '\n') {
        counter.line(pending, start, i - start);
        start = i + 1;
      }
    }
    pendingLength -= start;
    System.arraycopy(pending, start, pending, 0, pendingLength);
  }

  void finish() throws IOException {
    poll();
    if (pendingLength > 0) {
      counter.line(pending, 0, pendingLength);
      pendingLength = 0;
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
