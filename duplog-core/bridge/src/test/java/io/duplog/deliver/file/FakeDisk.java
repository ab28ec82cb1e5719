package io.duplog.deliver.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Simulates a file on a disk that a test can make full, slow to sync, or faulty. */
final class FakeDisk implements LogFile.Opener {
  /** Every file that the disk ever had; the last one is at the path. */
  private final List<Content> files = new ArrayList<>();

  /** Bytes that still fit. */
  long space = 1L << 40;

  /** Number of bytes that one write takes at most. */
  int writesAtMost = Integer.MAX_VALUE;

  @Nullable IOException onOpen;
  @Nullable IOException onWrite;
  @Nullable IOException onForce;
  @Nullable IOException onTruncate;
  int forces;
  int open;
  boolean atItsPath = true;

  FakeDisk() {
    files.add(new Content());
  }

  /** Returns the content of each file. */
  List<String> texts() {
    return files.stream().map(file -> file.text.toString()).toList();
  }

  /** Returns how many bytes of the file were on the disk at its last force. */
  int forcedBytes(int index) {
    return files.get(index).forcedBytes;
  }

  /** Puts text into the file at the path, as somebody else would. */
  void prefill(String text) {
    files.get(files.size() - 1).text.append(text);
  }

  /** Puts another file at the path, as logrotate does. */
  void rotate() {
    files.add(new Content());
    atItsPath = false;
  }

  @Override
  public LogFile open() throws IOException {
    if (onOpen != null) {
      throw onOpen;
    }
    open++;
    atItsPath = true;
    return new FakeFile(files.get(files.size() - 1));
  }

  private static final class Content {
    final StringBuilder text = new StringBuilder();
    int forcedBytes;
  }

  private final class FakeFile implements LogFile {
    private final Content content;
    private final boolean torn;

    FakeFile(Content content) {
      this.content = content;
      this.torn = !content.text.isEmpty() && !content.text.toString().endsWith("\n");
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      if (onWrite != null) {
        throw onWrite;
      }
      if (space == 0) {
        throw new IOException("No space left on device");
      }
      int count = (int) Math.min(Math.min(space, writesAtMost), bytes.remaining());
      byte[] taken = new byte[count];
      bytes.get(taken);
      content.text.append(new String(taken, ISO_8859_1));
      space -= count;
      return count;
    }

    @Override
    public long size() {
      return content.text.length();
    }

    @Override
    public void truncate(long size) throws IOException {
      if (onTruncate != null) {
        throw onTruncate;
      }
      if (size < content.text.length()) {
        space += content.text.length() - size;
        content.text.setLength((int) size);
      }
    }

    @Override
    public void force() throws IOException {
      forces++;
      if (onForce != null) {
        throw onForce;
      }
      content.forcedBytes = content.text.length();
    }

    @Override
    public boolean beganTorn() {
      return torn;
    }

    @Override
    public boolean isAtItsPath() {
      return atItsPath;
    }

    @Override
    public void close() {
      open--;
    }
  }
}
