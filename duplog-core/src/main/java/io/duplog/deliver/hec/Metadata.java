package io.duplog.deliver.hec;

import io.duplog.deliver.Parcel;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What goes with a message beside its text. Reused from one message to the next; belongs to one
 * thread.
 */
interface Metadata {

  /**
   * Where messages go and what they are; shared by many of them.
   *
   * @param host stands instead of the message's own host
   * @param fields indexed fields
   */
  record Target(
      @Nullable String index,
      @Nullable String sourcetype,
      @Nullable String source,
      @Nullable String host,
      Map<String, String> fields) {}

  /** Reads those of a message; forgets the one before. */
  void read(Parcel parcel, int message);

  /** When it happened, in milliseconds since the epoch. */
  long timeMillis();

  /** Begin of the message's own host in the batch's data. */
  int hostStart();

  /** Its end; equal to the begin where nobody knows it. */
  int hostEnd();

  /** The same object for the same target. */
  Target target();
}
