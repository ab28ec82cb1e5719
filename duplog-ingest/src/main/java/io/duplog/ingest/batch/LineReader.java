package io.duplog.ingest.batch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Splits the bytes from rsyslog into lines. A line is a message or a mark. A line may be empty, and
 * may contain any byte except LF. Not thread-safe.
 */
public final class LineReader {

  /** Handles a line. Its bytes are valid only during the call. */
  public interface LineHandler {
    void line(byte[] buffer, int offset, int length) throws IOException, InterruptedException;
  }

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EIGHT_ONES = 0x0101010101010101L;
  private static final long EIGHT_TOP_BITS = 0x8080808080808080L;
  private static final long EIGHT_LF = '\n' * EIGHT_ONES;

  private final InputStream in;
  private final int maxReadBytes;
  private final int maxLineBytes;
  private byte[] buffer;

  /** Offset of the first unhandled byte; the unhandled bytes end before {@link #end}. */
  private int start;

  private int end;

  /** Offset up to which the unhandled bytes contain no line feed. */
  private int scanEnd;

  /** Whether the rest of the current line is skipped, because the line is too long. */
  private boolean skippingLongLine;

  private long cutLines;

  /**
   * Creates a reader.
   *
   * @param maxReadBytes maximum number of bytes in one read
   * @param maxLineBytes maximum length of a line; longer lines are cut to this length
   */
  public LineReader(InputStream in, int maxReadBytes, int maxLineBytes) {
    this.in = in;
    this.maxReadBytes = maxReadBytes;
    this.maxLineBytes = maxLineBytes;
    this.buffer = new byte[2 * maxReadBytes];
  }

  /**
   * Reads the available bytes. Waits for at least one byte.
   *
   * @return false at the end of the stream
   */
  public boolean fill() throws IOException {
    freeSpace();
    int read = in.read(buffer, end, Math.min(maxReadBytes, buffer.length - end));
    if (read > 0) {
      end += read;
    }
    return read >= 0;
  }

  /** Passes every complete line that was read to the handler. */
  public void drain(LineHandler handler) throws IOException, InterruptedException {
    while (scanEnd < end) {
      int lf = indexOfLf(buffer, scanEnd, end);
      if (lf < 0) {
        scanEnd = end;
        return;
      }
      int from = start;
      int length = Math.min(lf - from, maxLineBytes);
      if (skippingLongLine || length < lf - from) {
        cutLines++;
        skippingLongLine = false;
      }
      // Moves on before the call, so that an exception does not cause the line to be handled twice.
      start = lf + 1;
      scanEnd = start;
      handler.line(buffer, from, length);
    }
  }

  /** Passes the last line of the stream to the handler, if it has no line feed. */
  public void drainUnfinished(LineHandler handler) throws IOException, InterruptedException {
    int length = Math.min(end - start, maxLineBytes);
    if (length > 0) {
      int from = start;
      start = end;
      scanEnd = end;
      handler.line(buffer, from, length);
    }
  }

  /** Returns the number of lines so far that were cut because they exceeded the maximum length. */
  public long cutLines() {
    return cutLines;
  }

  private void freeSpace() {
    if (start == end) {
      start = 0;
      end = 0;
      scanEnd = 0;
    } else if (end - start > maxLineBytes) {
      skippingLongLine = true;
      end = start + maxLineBytes;
      scanEnd = end;
    }
    if (buffer.length - end < maxReadBytes && start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      scanEnd -= start;
      start = 0;
    }
    if (buffer.length - end < maxReadBytes) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, end + maxReadBytes));
    }
  }

  /**
   * Finds a line feed, eight bytes at a time. For long lines, a loop over single bytes took most of
   * the reading time.
   */
  private static int indexOfLf(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long differences = (long) LONGS.get(bytes, i) ^ EIGHT_LF;
      // A zero byte gets its top bit set by a borrow. The lowest such byte is the first LF.
      long zeros = (differences - EIGHT_ONES) & ~differences & EIGHT_TOP_BITS;
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
