package io.duplog.deliver.archive;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.google.common.primitives.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The compression of an archive's files. A file is a single frame. After a flush, a reader can read
 * everything before it, and the frame keeps its compression history.
 */
public enum Compression {
  ZSTD("zst") {
    @Override
    OutputStream compress(OutputStream file) throws IOException {
      return new ZstdOutputStreamNoFinalizer(file, ZSTD_LEVEL);
    }

    @Override
    InputStream decompress(InputStream file) throws IOException {
      return new ZstdInputStreamNoFinalizer(file);
    }

    /** Reads a block, whose header has its size. */
    @Override
    byte[] piece(InputStream file, boolean isFirst) throws IOException {
      int headerBytes = (isFirst ? ZSTD_FRAME_HEADER_BYTES : 0) + 3;
      byte[] header = file.readNBytes(headerBytes);
      if (header.length < headerBytes) {
        return NOTHING;
      }
      int type = (header[headerBytes - 3] & 6) >> 1;
      int size =
          ((header[headerBytes - 3] & 0xff)
                  | (header[headerBytes - 2] & 0xff) << 8
                  | (header[headerBytes - 1] & 0xff) << 16)
              >> 3;
      int wanted = type == 1 ? 1 : size; // a repeated byte has the size of what it becomes
      byte[] block = file.readNBytes(wanted);
      return block.length < wanted ? NOTHING : Bytes.concat(header, block);
    }

    @Override
    ByteBuffer ending(long crc, long length) {
      return ByteBuffer.wrap(new byte[] {1, 0, 0}); // an empty block that is the last one
    }
  },
  GZIP("gz") {
    @Override
    OutputStream compress(OutputStream file) throws IOException {
      return new GZIPOutputStream(file, BUFFER_BYTES, true);
    }

    @Override
    InputStream decompress(InputStream file) throws IOException {
      return new GZIPInputStream(file, BUFFER_BYTES);
    }

    /** Reads until a flush, which ends with a stored block of no bytes. */
    @Override
    byte[] piece(InputStream file, boolean isFirst) throws IOException {
      ByteArrayOutputStream piece = new ByteArrayOutputStream();
      int lastFour = -1;
      for (int next = file.read(); next >= 0; next = file.read()) {
        piece.write(next);
        lastFour = lastFour << 8 | next;
        if (lastFour == 0x0000ffff) {
          return piece.toByteArray();
        }
      }
      return NOTHING;
    }

    @Override
    ByteBuffer ending(long crc, long length) {
      ByteBuffer ending = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
      ending.put((byte) 3).put((byte) 0); // an empty block that is the last one
      return ending.putInt((int) crc).putInt((int) length).flip();
    }
  };

  /** Files are as small as those of {@code gzip -6}, and cost less time. */
  private static final int ZSTD_LEVEL = 3;

  /** Size in bytes of the header that {@link #compress} writes: its length and checksum are off. */
  private static final int ZSTD_FRAME_HEADER_BYTES = 6;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final byte[] NOTHING = {};

  private final String suffix;

  Compression(String suffix) {
    this.suffix = suffix;
  }

  /** Returns the suffix of a file's name, without its dot. */
  String suffix() {
    return suffix;
  }

  /**
   * Returns the kind of a file by its name's suffix, or null if the archive writes no such file.
   */
  static @Nullable Compression ofName(String file) {
    for (Compression each : values()) {
      if (file.endsWith("." + each.suffix)) {
        return each;
      }
    }
    return null;
  }

  /** Returns a stream whose {@code flush} makes everything readable that was written to it. */
  abstract OutputStream compress(OutputStream file) throws IOException;

  abstract InputStream decompress(InputStream file) throws IOException;

  /**
   * Reads the next part of an unfinished file that can be decompressed without what follows.
   * Returns nothing if the file ends before that.
   */
  abstract byte[] piece(InputStream file, boolean isFirst) throws IOException;

  /**
   * Returns the bytes that end a file after a flush.
   *
   * @param crc CRC-32 of the file's lines
   * @param length length of the file's lines in bytes
   */
  abstract ByteBuffer ending(long crc, long length);
}
