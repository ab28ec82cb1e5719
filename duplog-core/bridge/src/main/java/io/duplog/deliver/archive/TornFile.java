package io.duplog.deliver.archive;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the complete pieces of an unfinished compressed file. Each read returns bytes of one piece,
 * so the lines of earlier pieces are read before a damaged piece is found.
 */
final class TornFile extends InputStream {
  private final InputStream file;
  private final Compression compression;
  private byte[] piece = {};
  private int read;
  private boolean isFirst = true;

  TornFile(Path path, Compression compression) throws IOException {
    this.file = new BufferedInputStream(Files.newInputStream(path), 1 << 16);
    this.compression = compression;
  }

  private boolean hasBytes() throws IOException {
    if (read == piece.length) {
      piece = compression.piece(file, isFirst);
      isFirst = false;
      read = 0;
    }
    return piece.length > 0;
  }

  @Override
  public int read() throws IOException {
    return hasBytes() ? piece[read++] & 0xff : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!hasBytes()) {
      return -1;
    }
    int count = Math.min(length, piece.length - read);
    System.arraycopy(piece, read, bytes, offset, count);
    read += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
