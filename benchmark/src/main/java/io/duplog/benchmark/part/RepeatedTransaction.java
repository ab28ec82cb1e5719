package io.duplog.benchmark.part;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.List;

/** What rsyslog writes to its program: one transaction, so many times, without holding them all. */
final class RepeatedTransaction extends InputStream {
  private static final byte[] BEGIN = "BEGIN TRANSACTION\n".getBytes(US_ASCII);
  private static final byte[] COMMIT = "COMMIT TRANSACTION\n".getBytes(US_ASCII);

  private final byte[] transaction;
  private int left;
  private int at;

  RepeatedTransaction(byte[] transaction, int times) {
    this.transaction = transaction;
    this.left = times;
  }

  /**
   * @param marks whether the two marks stand around the messages
   */
  static byte[] text(List<byte[]> messages, boolean marks) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    if (marks) {
      text.writeBytes(BEGIN);
    }
    for (byte[] message : messages) {
      text.writeBytes(message);
      text.write('\n');
    }
    if (marks) {
      text.writeBytes(COMMIT);
    }
    return text.toByteArray();
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (left == 0) {
      return -1;
    }
    int count = Math.min(length, transaction.length - at);
    System.arraycopy(transaction, at, target, offset, count);
    at += count;
    if (at == transaction.length) {
      at = 0;
      left--;
    }
    return count;
  }
}
