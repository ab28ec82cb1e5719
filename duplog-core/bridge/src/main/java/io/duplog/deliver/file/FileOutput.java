package io.duplog.deliver.file;

import io.duplog.deliver.line.LineOutput;
import io.duplog.deliver.line.LinesLostException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends whole lines to the sink's file, even if its disk is full or the file is rotated or
 * removed.
 *
 * <p>After a failed write, the partial line is cut off immediately or, if that fails, before the
 * next line is written. Nothing more is cut off, because a reader that finds the file shorter than
 * before, such as a Universal Forwarder, reads it again from the beginning. Only if an fsync fails
 * is the whole group cut off, because Linux then forgets which parts were written.
 *
 * @see "docs/decisions/sinks.md#line-sinks"
 */
final class FileOutput implements LineOutput {
  private final String name;
  private final LogFile.Opener opener;
  private final FileSinkConfig.Fsync fsync;
  private final long fsyncNanos;
  private final LongSupplier nanoClock;

  private volatile boolean isReopenDue;

  /** The open file, or null while the file can't be opened. */
  private @Nullable LogFile file;

  private boolean isNewlineDue;

  /**
   * Length of the incomplete line at the file's end in bytes, or 0 if the last line is complete.
   */
  private long tornBytes;

  private long markOffset;
  private boolean isCutDue;

  private boolean isForcePending;
  private long lastForceNanos;

  /**
   * Opens the file.
   *
   * @throws IOException if the file can't be opened
   */
  FileOutput(FileSinkConfig config, LogFile.Opener opener, LongSupplier nanoClock)
      throws IOException {
    this.name = "sink file " + config.path();
    this.opener = opener;
    this.fsync = config.fsync();
    this.fsyncNanos = config.fsyncInterval().toNanos();
    this.nanoClock = nanoClock;
    this.lastForceNanos = nanoClock.getAsLong();
    open();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean reopen() {
    isReopenDue = true;
    return true;
  }

  @Override
  public void prepare() throws IOException {
    // Before each group of lines, because a program that compresses a renamed file reads it only
    // once.
    if (file != null && (isReopenDue || !file.isAtItsPath())) {
      closeRotated(file);
    }
    repairEnd(file == null ? open() : file);
  }

  /**
   * Completes a rotated file's lines, forces them to the disk if so configured, and closes the
   * file.
   */
  private void closeRotated(LogFile old) throws IOException {
    try {
      repairEnd(old);
      if (fsync != FileSinkConfig.Fsync.NEVER) {
        force(old);
      }
    } finally {
      file = null;
      old.close();
    }
  }

  private LogFile open() throws IOException {
    isReopenDue = false;
    LogFile opened = opener.open();
    file = opened;
    isNewlineDue = opened.beganTorn();
    tornBytes = 0;
    isCutDue = false;
    markOffset = opened.size();
    return opened;
  }

  /**
   * Makes the file end with a complete line, by cutting off partial lines and lines that may be
   * lost.
   */
  private void repairEnd(LogFile current) throws IOException {
    if (isCutDue) {
      current.truncate(markOffset);
      isCutDue = false;
      tornBytes = 0;
    } else if (tornBytes > 0) {
      current.truncate(Math.max(0, current.size() - tornBytes));
      tornBytes = 0;
    }
    if (isNewlineDue) {
      // Ends a line that a crash cut short. Its message is written again as a separate line.
      current.write(ByteBuffer.wrap(new byte[] {'\n'}));
      isNewlineDue = false;
      markOffset = current.size();
    }
  }

  @Override
  public void mark() throws IOException {
    markOffset = current().size();
  }

  @Override
  public void append(ByteBuffer lines) throws IOException {
    LogFile current = current();
    int start = lines.position();
    isForcePending = true;
    try {
      while (lines.hasRemaining()) {
        if (current.write(lines) <= 0) {
          throw new IOException("nothing could be written");
        }
      }
    } catch (IOException e) {
      int whole = endOfLastLine(lines, start);
      tornBytes = (long) lines.position() - whole;
      lines.position(whole);
      repairEndAfter(e, current);
      throw e;
    }
  }

  private static int endOfLastLine(ByteBuffer lines, int start) {
    for (int end = lines.position(); end > start; end--) {
      if (lines.get(end - 1) == '\n') {
        return end;
      }
    }
    return start;
  }

  private void repairEndAfter(IOException failure, LogFile current) {
    try {
      repairEnd(current);
    } catch (IOException e) {
      failure.addSuppressed(e); // prepare() tries again
    }
  }

  @Override
  public void commit() throws IOException {
    LogFile current = file;
    if (current != null && isForcePending && isForceDue()) {
      force(current);
    }
  }

  private boolean isForceDue() {
    return switch (fsync) {
      case ALWAYS -> true;
      case INTERVAL -> nanoClock.getAsLong() - lastForceNanos >= fsyncNanos;
      case NEVER -> false;
    };
  }

  private void force(LogFile current) throws IOException {
    try {
      current.force();
    } catch (IOException e) {
      isCutDue = true;
      repairEndAfter(e, current);
      throw new LinesLostException(e);
    }
    isForcePending = false;
    lastForceNanos = nanoClock.getAsLong();
  }

  @Override
  public long idleNanos() {
    return fsync == FileSinkConfig.Fsync.INTERVAL && isForcePending
        ? Math.max(1, fsyncNanos - (nanoClock.getAsLong() - lastForceNanos))
        : Long.MAX_VALUE;
  }

  private LogFile current() throws IOException {
    if (file == null) {
      throw new IOException("it is not open");
    }
    return file;
  }

  @Override
  public void close() throws IOException {
    LogFile current = file;
    if (current != null) {
      try (current) {
        if (isForcePending && fsync != FileSinkConfig.Fsync.NEVER) {
          current.force();
        }
      }
    }
  }
}
