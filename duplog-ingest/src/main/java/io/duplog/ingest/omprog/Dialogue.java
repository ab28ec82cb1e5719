package io.duplog.ingest.omprog;

import java.io.IOException;

/** How one mode of omprog is answered. For one thread at a time; Conversation's lock guards it. */
interface Dialogue {

  /** Before the first line. */
  void opened() throws IOException;

  /** One line, a mark or a message. */
  void line(byte[] buffer, int offset, int length) throws IOException, InterruptedException;

  /** Every line that has been read was handed over; the next read may take long. */
  void drained() throws IOException, InterruptedException;

  /**
   * Publishes what has waited long enough for others.
   *
   * @return nanoseconds until it is to be asked again; {@link Long#MAX_VALUE} where nothing waits
   */
  long linger() throws IOException, InterruptedException;

  /** Whether rsyslog forgets nothing that is not in RabbitMQ if the conversation ends here. */
  boolean isBetweenTransactions();

  /** Whether a last line without LF is a message. */
  boolean takesUnfinishedLine();

  /**
   * No more lines will come.
   *
   * @return messages that were taken over from rsyslog and are not known to be in RabbitMQ
   */
  long closed() throws IOException, InterruptedException;
}
