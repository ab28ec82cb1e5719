package io.duplog.benchmark.load;

/**
 * Numbered test messages. All bytes of a message follow from its number. A reader can therefore
 * determine which message a line is, and whether the line is intact.
 */
public interface Messages {
  /**
   * Returns the number of the message that a line holds.
   *
   * @return -1 if a byte is wrong, or if the line is none of these messages
   */
  long serialOf(byte[] bytes, int offset, int length);
}
