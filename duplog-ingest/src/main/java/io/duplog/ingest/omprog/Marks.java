package io.duplog.ingest.omprog;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Recognises the lines with which rsyslog's omprog begins and commits a transaction. */
final class Marks {
  private final byte[] beginMark;
  private final byte[] commitMark;

  Marks(String beginMark, String commitMark) {
    this.beginMark = beginMark.getBytes(StandardCharsets.UTF_8);
    this.commitMark = commitMark.getBytes(StandardCharsets.UTF_8);
  }

  boolean isBegin(byte[] buffer, int offset, int length) {
    return isMark(beginMark, buffer, offset, length);
  }

  boolean isCommit(byte[] buffer, int offset, int length) {
    return isMark(commitMark, buffer, offset, length);
  }

  private static boolean isMark(byte[] mark, byte[] buffer, int offset, int length) {
    return length == mark.length && Arrays.equals(mark, 0, length, buffer, offset, offset + length);
  }
}
