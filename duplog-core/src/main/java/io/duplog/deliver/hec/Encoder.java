package io.duplog.deliver.hec;

/** Turns messages into the body of a request. Belongs to one thread. */
interface Encoder {

  /**
   * Adds a message behind those that are there.
   *
   * @return false where it has no place in this request any more; never so for the first
   */
  boolean add(Completion completion, int message, Body body);

  /** Where the body is to be posted: path and query, below the URL's own path. */
  String path();
}
