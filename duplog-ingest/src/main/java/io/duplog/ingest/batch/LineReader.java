package io.duplog.ingest.batch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Cuts what rsyslog sends into lines, without copying them and without looking at a byte twice. A
 * line may be empty, and may have any byte but LF. For one thread.
 */
public final class LineReader {

  /** Handles one line, whose bytes are valid only during the call. */
  public interface LineHandler {
    void line(byte[] buffer, int offset, int length) throws IOException, InterruptedException;
  }

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EIGHT_ONES = 0x0101010101010101L;
  private static final long EIGHT_TOPS = 0x8080808080808080L;
  private static final long EIGHT_LF = '\n' * EIGHT_ONES;

  private final InputStream in;
  private final int chunkBytes;
  private final int maxLineBytes;
  private byte[] buffer;

  /** Offset of the first unhandled byte; the unhandled bytes end before {@link #end}. */
  private int start;

  private int end;

  /** Offset up to which the unhandled bytes contain no line feed. */
  private int scanEnd;

  /** Whether the rest of the current line is skipped, because the line is too long. */
  private boolean skipping;

  private long cutLines;

  /**
   * Makes a reader.
   *
   * @param chunkBytes most bytes read at once
   * @param maxLineBytes longer lines are cut to this length
   */
  public LineReader(InputStream in, int chunkBytes, int maxLineBytes) {
    this.in = in;
    this.chunkBytes = chunkBytes;
    this.maxLineBytes = maxLineBytes;
    this.buffer = new byte[2 * chunkBytes];
  }

  /**
   * Reads what is available, and waits for at least one byte.
   *
   * @return false at the end of the stream
   */
  public boolean fill() throws IOException {
    makeRoom();
    int read = in.read(buffer, end, Math.min(chunkBytes, buffer.length - end));
    if (read > 0) {
      end += read;
    }
    return read >= 0;
  }

  /** Hands every complete line that was read to the handler. */
  public void drain(LineHandler handler) throws IOException, InterruptedException {
    while (scanEnd < end) {
      int lf = indexOfLf(buffer, scanEnd, end);
      if (lf < 0) {
        scanEnd = end;
        return;
      }
      int from = start;
      int length = Math.min(lf - from, maxLineBytes);
      if (skipping || length < lf - from) {
        cutLines++;
        skipping = false;
      }
      // Before the call, so that the line is not handed over twice after an exception.
      start = lf + 1;
      scanEnd = start;
      handler.line(buffer, from, length);
    }
  }

  /** Hands the last line of the stream to the handler if it has no line feed. */
  public void drainUnfinished(LineHandler handler) throws IOException, InterruptedException {
    int length = Math.min(end - start, maxLineBytes);
    if (length > 0) {
      int from = start;
      start = end;
      scanEnd = end;
      handler.line(buffer, from, length);
    }
  }

  /** Returns the number of lines so far that were cut because they were too long. */
  public long cutLines() {
    return cutLines;
  }

  private void makeRoom() {
    if (start == end) {
      start = 0;
      end = 0;
      scanEnd = 0;
    } else if (end - start > maxLineBytes) {
      skipping = true;
      end = start + maxLineBytes;
      scanEnd = end;
    }
    if (buffer.length - end < chunkBytes && start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      scanEnd -= start;
      start = 0;
    }
    if (buffer.length - end < chunkBytes) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, end + chunkBytes));
    }
  }

  /**
   * Finds a line feed, eight bytes at a time, because for long lines this loop took most of the
   * time of reading.
   */
  private static int indexOfLf(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long differences = (long) LONGS.get(bytes, i) ^ EIGHT_LF;
      // A byte that is zero gets its top bit by a borrow; the lowest such byte is the first LF.
      long zeros = (differences - EIGHT_ONES) & ~differences & EIGHT_TOPS;
      if (zeros != 0) {
        return i + Long.numberOfTrailingZeros(zeros) / Byte.SIZE;
      }
    }
    for (; i < to; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }
}
