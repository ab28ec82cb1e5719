package io.duplog.wire;

import java.io.IOException;
import java.util.Arrays;

/**
 * Whether this host can compress and decompress a body. zstd brings a library, unpacks it into a
 * folder and loads it from there, at the first body that is worth it: a host whose folder forbids
 * that works until then. So it is tried while somebody looks.
 */
public final class CompressionTrial {
  /** The folder that zstd unpacks its library into; without it, Java's own for such files. */
  private static final String FOLDER = "ZstdTempFolder";

  /** A body made and read again. */
  interface RoundTrip {
    boolean isSame() throws MalformedBatchException;
  }

  private CompressionTrial() {}

  /**
   * Compresses a body and decompresses it.
   *
   * @throws IOException if that can't be done here; its message is for the operator
   */
  public static void run() throws IOException {
    run(
        CompressionTrial::compressAndDecompress,
        System.getProperty(FOLDER, System.getProperty("java.io.tmpdir", "/tmp")));
  }

  static void run(RoundTrip roundTrip, String folder) throws IOException {
    try {
      if (!roundTrip.isSame()) {
        throw new IOException("compression: a body is not the same after it was compressed");
      }
    } catch (MalformedBatchException e) {
      throw new IOException("compression: " + e.getMessage(), e);
    } catch (LinkageError e) {
      throw new IOException(
          "compression: zstd's library can't be loaded from %s (%s); this user must be able to write there, and the file system must not be mounted noexec. Another folder: -D%s=FOLDER among Java's options"
              .formatted(folder, firstLine(e), FOLDER),
          e);
    }
  }

  private static boolean compressAndDecompress() throws MalformedBatchException {
    byte[] message = new byte[2 * BatchEncoder.COMPRESS_FROM_BYTES];
    try (BatchEncoder encoder = new BatchEncoder(false, true)) {
      encoder.add(message, 0, message.length);
      EncodedBatch batch = encoder.encode();
      MessageBatch read =
          new BatchDecoder(BatchLimits.DEFAULT).decode(batch.body(), batch.encoding());
      return batch.encoding() == ContentEncoding.ZSTD
          && read.count() == 1
          && Arrays.equals(read.data(), read.start(0), read.end(0), message, 0, message.length);
    }
  }

  private static String firstLine(LinkageError error) {
    return String.valueOf(error.getMessage()).lines().findFirst().orElse("no reason is given");
  }
}
