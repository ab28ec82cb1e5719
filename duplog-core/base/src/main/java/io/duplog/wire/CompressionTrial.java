package io.duplog.wire;

import java.io.IOException;
import java.util.Arrays;

/**
 * Tests whether this host can compress batches, so that an administrator learns it before the first
 * message. To compress, zstd unpacks a native library into a folder and loads it from there when it
 * processes the first body. If that folder does not permit loading, the program works until that
 * first body. Therefore the programs run this test while an administrator can see the result.
 */
public final class CompressionTrial {
  /**
   * System property that names the folder for zstd's library; the default is Java's folder for
   * temporary files.
   */
  private static final String FOLDER_PROPERTY = "ZstdTempFolder";

  /** Encodes a body and decodes it again; returns whether the result is the same. */
  interface RoundTrip {
    boolean isSame() throws MalformedBatchException;
  }

  private CompressionTrial() {}

  /**
   * Compresses a body and decompresses it.
   *
   * @throws IOException if this host can't compress or decompress; its message is for the operator
   */
  public static void run() throws IOException {
    run(
        CompressionTrial::compressAndDecompress,
        System.getProperty(FOLDER_PROPERTY, System.getProperty("java.io.tmpdir", "/tmp")));
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
          "compression: zstd's library can't be loaded from %s (%s). The folder must be writable and must not be mounted noexec. To choose another one, add -D%s=FOLDER to Java's options"
              .formatted(folder, firstLine(e), FOLDER_PROPERTY),
          e);
    }
  }

  private static boolean compressAndDecompress() throws MalformedBatchException {
    byte[] message = new byte[2 * BatchEncoder.MIN_COMPRESSED_BYTES];
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.TEXT, true)) {
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
