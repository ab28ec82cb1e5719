package io.duplog.ingest.hec;

/** Thrown if an event can't be delivered; the message is the reason in a dead letter. */
final class UnusableEventException extends Exception {
  UnusableEventException(String reason) {
    super(reason);
  }
}
