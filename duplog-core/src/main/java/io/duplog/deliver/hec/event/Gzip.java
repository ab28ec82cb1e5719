package io.duplog.deliver.hec.event;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Compresses bodies with gzip, fast rather than well. Reused; belongs to one thread. */
public final class Gzip {
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
  private static final int TRAILER = 8;

  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
  private final CRC32 checksum = new CRC32();
  private byte[] out = new byte[1 << 16];
  private int length;

  public void compress(byte[] bytes, int count) {
    deflater.reset();
    deflater.setInput(bytes, 0, count);
    deflater.finish();
    System.arraycopy(HEADER, 0, out, 0, HEADER.length);
    length = HEADER.length;
    while (!deflater.finished()) {
      if (out.length - length < 1024) {
        out = Arrays.copyOf(out, out.length * 2);
      }
      length += deflater.deflate(out, length, out.length - length - TRAILER);
    }
    checksum.reset();
    checksum.update(bytes, 0, count);
    ByteBuffer.wrap(out, length, TRAILER)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) checksum.getValue())
        .putInt(count);
    length += TRAILER;
  }

  public byte[] bytes() {
    return out;
  }

  public int length() {
    return length;
  }
}
