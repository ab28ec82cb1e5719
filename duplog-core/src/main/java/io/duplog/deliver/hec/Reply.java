package io.duplog.deliver.hec;

import org.jspecify.annotations.Nullable;

/**
 * What came back from a URL.
 *
 * @param retryAfter the header of this name
 * @param location the header of this name
 * @param date the header of this name: the other side's clock, to the second
 * @param body the first 64 KiB at most
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
record Reply(
    int status,
    @Nullable String retryAfter,
    @Nullable String location,
    @Nullable String date,
    byte[] body) {

  /** One that does not tell its time. */
  Reply(int status, @Nullable String retryAfter, @Nullable String location, byte[] body) {
    this(status, retryAfter, location, null, body);
  }
}
