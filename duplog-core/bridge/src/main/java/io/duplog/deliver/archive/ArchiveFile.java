package io.duplog.deliver.archive;

import io.duplog.deliver.archive.ArchiveEntry.Content;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The file that an archive is writing. Lines are compressed into memory. {@link #commit} writes
 * them all, and forces them to the disk. So a failure leaves a known end, to which {@link #seal}
 * cuts the file back. Not thread-safe.
 */
final class ArchiveFile implements Closeable {
  private static final int PIECE_BYTES = 1 << 20;

  /** Compressed bytes that are not written yet. */
  private static final class Memory extends ByteArrayOutputStream {
    ByteBuffer bytes() {
      return ByteBuffer.wrap(buf, 0, count);
    }

    @Override
    public synchronized void reset() {
      super.reset();
      if (buf.length > PIECE_BYTES) {
        buf = new byte[PIECE_BYTES];
      }
    }
  }

  private final Path path;
  private final ArchivePart part;
  private final FileChannel channel;
  private final MessageDigest digest = sha256();

  private final Memory compressed = new Memory();
  private final OutputStream compressor;
  private final byte[] copied = new byte[1 << 16];

  /** CRC-32, length in bytes and number of all appended lines. */
  private final CRC32 crc = new CRC32();

  private long appendedBytes;
  private long appendedMessages;

  /** CRC-32, length in bytes and number of the committed lines. */
  private long committedCrc;

  private long committedBytes;
  private long committedMessages;

  /** Size in bytes of the file's committed content. */
  private long size;

  private @Nullable Instant first;
  private Instant last = Instant.MIN;
  private @Nullable Content sealedContent;

  /**
   * @param channel the empty file at the path
   */
  ArchiveFile(Path path, ArchivePart part, FileChannel channel) throws IOException {
    this.path = path;
    this.part = part;
    this.channel = channel;
    this.compressor = part.compression().compress(compressed);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  Path path() {
    return path;
  }

  ArchivePart part() {
    return part;
  }

  /** Returns the size of the committed content in bytes. */
  long size() {
    return size;
  }

  /** Returns the number of committed messages. */
  long messages() {
    return committedMessages;
  }

  boolean hasUncommitted() {
    return appendedMessages > committedMessages;
  }

  /** Compresses whole lines into memory. */
  void append(ByteBuffer lines) throws IOException {
    while (lines.hasRemaining()) {
      int count = Math.min(lines.remaining(), copied.length);
      lines.get(copied, 0, count);
      compressor.write(copied, 0, count);
      crc.update(copied, 0, count);
      appendedBytes += count;
      for (int i = 0; i < count; i++) {
        if (copied[i] == '\n') {
          appendedMessages++;
        }
      }
    }
  }

  /**
   * Writes all appended lines, and forces them to the disk. After an exception, the file must be
   * {@linkplain #seal sealed}, because the compressor has already processed the lines.
   */
  void commit(Instant now) throws IOException {
    compressor.flush();
    ByteBuffer bytes = compressed.bytes();
    write(bytes, size);
    channel.force(false);
    digest.update(bytes.rewind());
    size += bytes.limit();
    compressed.reset();
    committedCrc = crc.getValue();
    committedBytes = appendedBytes;
    committedMessages = appendedMessages;
    first = first == null ? now : first;
    last = now;
  }

  private void write(ByteBuffer bytes, long position) throws IOException {
    int end = bytes.limit();
    while (bytes.position() < end) {
      // In pieces, because Java keeps a copy of the largest piece outside the heap.
      bytes.limit(Math.min(end, bytes.position() + PIECE_BYTES));
      int written = channel.write(bytes, position + bytes.position());
      if (written <= 0) {
        throw new IOException("nothing could be written");
      }
    }
    bytes.limit(end);
  }

  /**
   * Ends the file behind its committed lines, and forces it to the disk. Can be called again after
   * a failure.
   */
  Content seal() throws IOException {
    Content sealed = sealedContent;
    if (sealed == null) {
      channel.truncate(size);
      ByteBuffer ending = part.compression().ending(committedCrc, committedBytes);
      write(ending, size);
      channel.force(true);
      digest.update(ending.rewind());
      sealed =
          new Content(
              committedMessages, size + ending.limit(), HexFormat.of().formatHex(digest.digest()));
      sealedContent = sealed;
    }
    return sealed;
  }

  /** Returns the file's entry in the index. The file must be sealed. */
  ArchiveEntry entry(String bridge, String file, Instant closed) throws IOException {
    Instant begin = first == null ? part.begun() : first;
    return new ArchiveEntry(part.number(), bridge, file, begin, last, closed, seal());
  }

  /** Sets the time of the first messages of a file that is copied. */
  void beganAt(Instant begun) {
    first = begun;
  }

  @Override
  public void close() throws IOException {
    try {
      compressor.close(); // frees its memory; what it writes is not used
    } finally {
      channel.close();
    }
  }
}
