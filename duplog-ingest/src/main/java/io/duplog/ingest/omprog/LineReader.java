package io.duplog.ingest.omprog;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Cuts rsyslog's pipe into lines, without a copy and without looking at a byte twice. A line may be
 * empty and may hold any byte but LF. For one thread.
 */
final class LineReader {

  /** What is to be done with a line. The bytes are the reader's and change after the call. */
  interface LineHandler {
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

  /** What was read and is not yet handled, an unfinished line, is {@code [start, end)}. */
  private int start;

  private int end;

  /** Below here there is no LF in what is unfinished. */
  private int scanned;

  /** The rest of the line that is being read lies beyond the limit and is not kept. */
  private boolean skipping;

  private long cutLines;

  /**
   * @param chunkBytes read at once
   * @param maxLineBytes of a longer line the rest is cut off
   */
  LineReader(InputStream in, int chunkBytes, int maxLineBytes) {
    this.in = in;
    this.chunkBytes = chunkBytes;
    this.maxLineBytes = maxLineBytes;
    this.buffer = new byte[2 * chunkBytes];
  }

  /**
   * Reads what there is, waiting for at least one byte.
   *
   * @return false at the end of the stream
   */
  boolean fill() throws IOException {
    makeRoom();
    int read = in.read(buffer, end, Math.min(chunkBytes, buffer.length - end));
    if (read > 0) {
      end += read;
    }
    return read >= 0;
  }

  /** Hands over every whole line that was read. */
  void drain(LineHandler handler) throws IOException, InterruptedException {
    while (scanned < end) {
      int lf = indexOfLf(buffer, scanned, end);
      if (lf < 0) {
        scanned = end;
        return;
      }
      int from = start;
      int length = Math.min(lf - from, maxLineBytes);
      if (skipping || length < lf - from) {
        cutLines++;
        skipping = false;
      }
      // Before the call, so that an exception can't hand over the line twice.
      start = lf + 1;
      scanned = start;
      handler.line(buffer, from, length);
    }
  }

  /** Hands over the line that the stream's end has left without its LF, if there is one. */
  void drainUnfinished(LineHandler handler) throws IOException, InterruptedException {
    int length = Math.min(end - start, maxLineBytes);
    if (length > 0) {
      int from = start;
      start = end;
      scanned = end;
      handler.line(buffer, from, length);
    }
  }

  /** Lines since the start that were longer than allowed. */
  long cutLines() {
    return cutLines;
  }

  private void makeRoom() {
    if (start == end) {
      start = 0;
      end = 0;
      scanned = 0;
    } else if (end - start > maxLineBytes) {
      skipping = true;
      end = start + maxLineBytes;
      scanned = end;
    }
    if (buffer.length - end < chunkBytes && start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      scanned -= start;
      start = 0;
    }
    if (buffer.length - end < chunkBytes) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, end + chunkBytes));
    }
  }

  /** Eight bytes at a time: of long lines, this loop was most of what reading them costs. */
  private static int indexOfLf(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long differences = (long) LONGS.get(bytes, i) ^ EIGHT_LF;
      // A byte that is zero borrows, and gets its top bit; the lowest one that did was the first.
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
