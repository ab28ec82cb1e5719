package io.duplog.dedup;

import com.google.common.io.BaseEncoding;
import java.nio.ByteBuffer;

/** The digests of a batch's messages, in their order. Immutable; safe for any thread. */
public final class Digests {
  /** Bytes of one digest. */
  public static final int BYTES = 16;

  private final byte[] packed;

  /**
   * @param packed {@link #BYTES} for each message, one after another; not to be changed any more
   */
  public Digests(byte[] packed) {
    this.packed = packed;
  }

  /** How many. */
  public int count() {
    return packed.length / BYTES;
  }

  /** The digest of message {@code index}. */
  public Digest get(int index) {
    ByteBuffer buffer = ByteBuffer.wrap(packed, index * BYTES, BYTES);
    return new Digest(buffer.getLong(), buffer.getLong());
  }

  /**
   * The digest of message {@code index} in 32 hexadecimal digits, as the store's operator sees it.
   */
  public String hex(int index) {
    return BaseEncoding.base16().lowerCase().encode(packed, index * BYTES, BYTES);
  }

  /** All of them, as they travel to the store. Not to be written to. */
  public byte[] packed() {
    return packed;
  }

  @Override
  public String toString() {
    return BaseEncoding.base16().encode(packed);
  }
}
