package io.duplog.ingest.publish;

/** The broker can't be used. The message says what is wrong in an operator's words, in one line. */
public final class BrokerException extends Exception {
  BrokerException(String message, Throwable cause) {
    super(message.replaceAll("\\p{Cntrl}", "?"), cause);
  }
}
