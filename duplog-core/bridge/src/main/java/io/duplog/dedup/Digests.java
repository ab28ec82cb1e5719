package io.duplog.dedup;

import com.google.common.io.BaseEncoding;
import java.nio.ByteBuffer;
import java.util.Collection;

/**
 * The digests of a batch's messages, in the order of the messages, as the ledger gets them.
 * Immutable; thread-safe.
 *
 * @param packed the digests one after another, {@link #BYTES} each. The array must not be changed.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Digests(byte[] packed) {
  /** Length of one digest in bytes. */
  public static final int BYTES = 16;

  /** Returns the digests in the order in which the collection returns them. */
  public static Digests of(Collection<Digest> digests) {
    ByteBuffer packed = ByteBuffer.allocate(digests.size() * BYTES);
    digests.forEach(each -> packed.putLong(each.high()).putLong(each.low()));
    return new Digests(packed.array());
  }

  public int count() {
    return packed.length / BYTES;
  }

  /** Returns the digest of the message at this index in the batch. */
  public Digest get(int index) {
    ByteBuffer buffer = ByteBuffer.wrap(packed, index * BYTES, BYTES);
    return new Digest(buffer.getLong(), buffer.getLong());
  }

  /** Returns the digest of the message at this index in the batch, as 32 lower-case hex digits. */
  public String hex(int index) {
    return BaseEncoding.base16().lowerCase().encode(packed, index * BYTES, BYTES);
  }

  @Override
  public String toString() {
    return BaseEncoding.base16().encode(packed);
  }
}
