package io.duplog.benchmark.load;

/**
 * Test messages, each of which has a number. All bytes of a message follow from its number, so a
 * reader can tell which message a line is, and whether it is intact.
 */
public interface Messages {
  /**
   * Returns the number of the message that a line holds.
   *
   * @return -1 if one byte is wrong, or the line is none of these messages
   */
  long serialOf(byte[] bytes, int offset, int length);
}
