package io.duplog.deliver.file;

import io.duplog.deliver.line.LineOutput;
import io.duplog.deliver.line.LinesLostException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends whole lines to a file, whose disk may become full and which may be rotated or removed.
 *
 * <p>The part of a line that a failed write left is cut off at once or, if that fails, before the
 * next line is written. Nothing more is cut, because a reader that finds the file shorter than what
 * it has read, such as a Universal Forwarder, reads it again from its beginning. Only if an fsync
 * fails is the whole group cut off, because Linux then forgets which parts of it were written.
 *
 * @see "docs/decisions/sinks.md#line-sinks"
 */
final class FileOutput implements LineOutput {
  private final String name;
  private final LogFile.Opener opener;
  private final FileSinkConfig.Fsync fsync;
  private final long fsyncNanos;
  private final LongSupplier nanoClock;

  private volatile boolean reopenAsked;

  /** The open file; null while the file can't be opened. */
  private @Nullable LogFile file;

  private boolean beginsWithNewline;

  /** Number of bytes of an incomplete line at the file's end; 0 if the last line is complete. */
  private long tornBytes;

  private long mark;
  private boolean cutToMark;

  private boolean unforced;
  private long forcedAtNanos;

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
    this.forcedAtNanos = nanoClock.getAsLong();
    open();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean reopen() {
    reopenAsked = true;
    return true;
  }

  @Override
  public void prepare() throws IOException {
    // Before each group of lines: whatever compresses a renamed file reads it only once.
    if (file != null && (reopenAsked || !file.isAtItsPath())) {
      leave(file);
    }
    heal(file == null ? open() : file);
  }

  /**
   * Completes a rotated file's lines, forces them to the disk if so configured, and closes the
   * file.
   */
  private void leave(LogFile old) throws IOException {
    try {
      heal(old);
      if (fsync != FileSinkConfig.Fsync.NEVER) {
        force(old);
      }
    } finally {
      file = null;
      old.close();
    }
  }

  private LogFile open() throws IOException {
    reopenAsked = false;
    LogFile opened = opener.open();
    file = opened;
    beginsWithNewline = opened.beganTorn();
    tornBytes = 0;
    cutToMark = false;
    mark = opened.size();
    return opened;
  }

  /** Makes the file end with a complete line, by cutting off lines that are torn or may be lost. */
  private void heal(LogFile current) throws IOException {
    if (cutToMark) {
      current.truncate(mark);
      cutToMark = false;
      tornBytes = 0;
    } else if (tornBytes > 0) {
      current.truncate(Math.max(0, current.size() - tornBytes));
      tornBytes = 0;
    }
    if (beginsWithNewline) {
      // Ends a line that a crash cut short; its message comes again as a line of its own.
      current.write(ByteBuffer.wrap(new byte[] {'\n'}));
      beginsWithNewline = false;
      mark = current.size();
    }
  }

  @Override
  public void mark() throws IOException {
    mark = current().size();
  }

  @Override
  public void append(ByteBuffer lines) throws IOException {
    LogFile current = current();
    int start = lines.position();
    unforced = true;
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
      healAfter(e, current);
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

  private void healAfter(IOException failure, LogFile current) {
    try {
      heal(current);
    } catch (IOException e) {
      failure.addSuppressed(e); // prepare() tries again
    }
  }

  @Override
  public void commit() throws IOException {
    LogFile current = file;
    if (current != null && unforced && isForceDue()) {
      force(current);
    }
  }

  private boolean isForceDue() {
    return switch (fsync) {
      case ALWAYS -> true;
      case INTERVAL -> nanoClock.getAsLong() - forcedAtNanos >= fsyncNanos;
      case NEVER -> false;
    };
  }

  private void force(LogFile current) throws IOException {
    try {
      current.force();
    } catch (IOException e) {
      cutToMark = true;
      healAfter(e, current);
      throw new LinesLostException(e);
    }
    unforced = false;
    forcedAtNanos = nanoClock.getAsLong();
  }

  @Override
  public long idleNanos() {
    return fsync == FileSinkConfig.Fsync.INTERVAL && unforced
        ? Math.max(1, fsyncNanos - (nanoClock.getAsLong() - forcedAtNanos))
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
        if (unforced && fsync != FileSinkConfig.Fsync.NEVER) {
          current.force();
        }
      }
    }
  }
}
