package io.duplog.benchmark.measure;

/** Tells the messages that were sent as they are found in a sink. One thread only. */
public interface Recognition {

  /**
   * Counts a line, without its end.
   *
   * @return its number where it is whole and was not found before; -1 otherwise
   */
  long add(byte[] bytes, int offset, int length);

  /**
   * Compares with what was sent.
   *
   * @param sent how many messages, each once
   * @param copies what left the sender, to all streams together
   */
  Reconciliation against(long sent, long copies);
}
