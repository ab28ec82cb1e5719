package io.duplog.deliver.hec.event;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Compresses the bodies of HEC requests, with gzip at its fastest level. */
public final class Gzip extends GZIPOutputStream {
  private Gzip(ByteArrayOutputStream out) throws IOException {
    super(out, 8 << 10);
    def.setLevel(Deflater.BEST_SPEED);
  }

  public static byte[] compressed(byte[] bytes, int count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64 << 10);
    try (Gzip gzip = new Gzip(out)) {
      gzip.write(bytes, 0, count);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // can't happen, because the stream is in memory
    }
    return out.toByteArray();
  }
}
