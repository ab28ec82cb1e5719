package io.duplog.coverage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.wire.MessageBatch;
import java.util.Arrays;

/**
 * A sender's address as bytes: a slice to look up with, or a copy to keep. Comparable, so that
 * names whose hashes were made to collide cost a hash table little.
 */
final class SenderName implements Comparable<SenderName> {
  /** Longer ones are no addresses. */
  private static final int LONGEST = 64;

  /** Of messages whose sender is not known; no address. */
  static final String UNKNOWN = "?";

  private static final byte[] UNKNOWN_BYTES = UNKNOWN.getBytes(ISO_8859_1);

  private byte[] data;
  private int from;
  private int to;
  private int hash;

  SenderName() {
    data = UNKNOWN_BYTES;
    setUnknown();
  }

  private SenderName(SenderName original) {
    data = Arrays.copyOfRange(original.data, original.from, original.to);
    from = 0;
    to = data.length;
    hash = original.hash;
  }

  static SenderName of(String name) {
    SenderName copy = new SenderName();
    copy.set(name.getBytes(ISO_8859_1), 0, name.length());
    return copy;
  }

  /** Becomes the sender of a message. */
  void set(MessageBatch batch, int message) {
    int start = batch.start(message);
    int end = batch.textStart(message) - 1;
    if (end > start && end - start <= LONGEST) {
      set(batch.data(), start, end);
    } else {
      setUnknown();
    }
  }

  void setUnknown() {
    set(UNKNOWN_BYTES, 0, UNKNOWN_BYTES.length);
  }

  private void set(byte[] newData, int newFrom, int newTo) {
    data = newData;
    from = newFrom;
    to = newTo;
    int sum = 1;
    for (int i = newFrom; i < newTo; i++) {
      sum = 31 * sum + newData[i];
    }
    hash = sum;
  }

  /** The same, with bytes of its own. */
  SenderName copy() {
    return new SenderName(this);
  }

  @Override
  public int compareTo(SenderName other) {
    return Arrays.compare(data, from, to, other.data, other.from, other.to);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SenderName name
        && hash == name.hash
        && Arrays.equals(data, from, to, name.data, name.from, name.to);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return new String(data, from, to - from, ISO_8859_1);
  }
}
