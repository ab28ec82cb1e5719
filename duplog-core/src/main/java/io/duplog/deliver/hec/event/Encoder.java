package io.duplog.deliver.hec.event;

import io.duplog.deliver.DeliveryRequest;

/** Turns messages into the body of a request. Belongs to one thread. */
public interface Encoder {

  /**
   * Adds a message behind those that are there.
   *
   * @param message its index in the batch
   * @param fallback whether it is to go to the fallback index
   * @return false where it has no place in this request any more; never so for the first
   */
  boolean add(DeliveryRequest delivery, int message, boolean fallback, Body body);

  /** Where the body is to be posted: path and query, below the URL's own path. */
  String path();
}
