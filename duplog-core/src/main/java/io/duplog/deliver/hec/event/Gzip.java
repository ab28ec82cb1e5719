package io.duplog.deliver.hec.event;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Compresses with gzip, fast rather than well. */
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
      throw new UncheckedIOException(e); // not so: it is memory
    }
    return out.toByteArray();
  }
}
