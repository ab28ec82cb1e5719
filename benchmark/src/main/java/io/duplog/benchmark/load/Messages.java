package io.duplog.benchmark.load;

/**
 * A kind of test messages from whose bytes their number can be read back, so that a lost or altered
 * one is found.
 */
public interface Messages {
  /**
   * Returns the number of the message that a line holds.
   *
   * @return -1 if a byte is wrong, or if the line is none of these messages
   */
  long serialOf(byte[] bytes, int offset, int length);
}
