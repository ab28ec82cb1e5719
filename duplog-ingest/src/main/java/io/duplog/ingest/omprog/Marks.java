package io.duplog.ingest.omprog;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The lines with which rsyslog begins and commits a transaction. */
final class Marks {
  private final byte[] begin;
  private final byte[] commit;

  Marks(String begin, String commit) {
    this.begin = begin.getBytes(StandardCharsets.UTF_8);
    this.commit = commit.getBytes(StandardCharsets.UTF_8);
  }

  boolean isBegin(byte[] buffer, int offset, int length) {
    return is(begin, buffer, offset, length);
  }

  boolean isCommit(byte[] buffer, int offset, int length) {
    return is(commit, buffer, offset, length);
  }

  private static boolean is(byte[] mark, byte[] buffer, int offset, int length) {
    return length == mark.length && Arrays.equals(mark, 0, length, buffer, offset, offset + length);
  }
}
