package io.duplog.deliver.hec;

import org.jspecify.annotations.Nullable;

/**
 * What came back from a URL.
 *
 * @param retryAfter the header of this name
 * @param location the header of this name
 * @param date the header of this name: the other side's clock, to the second
 * @param body the first 64 KiB at most; empty where the client hands over none at all, as the JDK's
 *     does beside a 407
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
record Reply(
    int status,
    @Nullable String retryAfter,
    @Nullable String location,
    @Nullable String date,
    byte[] body) {
  private static final byte[] NO_BODY = {};

  Reply(
      int status,
      @Nullable String retryAfter,
      @Nullable String location,
      @Nullable String date,
      byte @Nullable [] body) {
    this.status = status;
    this.retryAfter = retryAfter;
    this.location = location;
    this.date = date;
    this.body = body == null ? NO_BODY : body;
  }
}
