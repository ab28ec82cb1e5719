package io.duplog.deliver.hec;

import io.duplog.wire.MessageBatch;

/**
 * The request that a lane is about to send: its bytes, which messages they hold, and which of those
 * that were taken from the line found no place. Reused; belongs to one thread.
 */
final class Request {
  private static final String BLANK =
      "it is blank, and Splunk takes no blank events (they would break their whole request)";

  private final Encoder encoder;
  private final Body body;
  private Load sent = new Load();
  private Load left = new Load();

  Request(Encoder encoder, int maxBytes) {
    this.encoder = encoder;
    this.body = new Body(maxBytes);
  }

  /** Encodes as much of the load as fits, and refuses what is blank. */
  void fill(Load load) {
    sent = new Load();
    left = new Load();
    body.clear();
    load.forEach(this::add);
  }

  private void add(Shipment shipment, int message) {
    if (shipment.isOver()) {
      return;
    }
    if (!left.isEmpty()) {
      left.add(shipment, message);
    } else if (isBlank(shipment.parcel().batch(), message)) {
      shipment.refused(message, BLANK);
    } else if (encoder.add(shipment, message, body)) {
      sent.add(shipment, message);
    } else {
      left.add(shipment, message);
    }
  }

  private static boolean isBlank(MessageBatch batch, int message) {
    byte[] data = batch.data();
    for (int i = batch.textStart(message); i < batch.end(message); i++) {
      byte b = data[i];
      if (b != ' ' && (b < '\t' || b > '\r')) {
        return false;
      }
    }
    return true;
  }

  /** The messages that are in the body, as Splunk will count them. */
  Load sent() {
    return sent;
  }

  /** Those that found no place. */
  Load left() {
    return left;
  }

  byte[] bytes() {
    return body.bytes();
  }

  int length() {
    return body.length();
  }

  String path() {
    return encoder.path();
  }
}
