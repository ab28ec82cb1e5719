package io.duplog.deliver.hec;

import io.duplog.deliver.Parcel;
import io.duplog.wire.MessageBatch;
import java.util.Map;

/** Time of receipt, and the sender's address as the host. */
final class SenderMetadata implements Metadata {
  private static final Target ANYWHERE = new Target(null, null, null, null, Map.of());

  private long timeMillis;
  private int hostStart;
  private int hostEnd;

  @Override
  public void read(Parcel parcel, int message) {
    MessageBatch batch = parcel.batch();
    timeMillis = parcel.receivedMillis();
    hostStart = batch.start(message);
    hostEnd = Math.max(hostStart, batch.textStart(message) - 1);
  }

  @Override
  public long timeMillis() {
    return timeMillis;
  }

  @Override
  public int hostStart() {
    return hostStart;
  }

  @Override
  public int hostEnd() {
    return hostEnd;
  }

  @Override
  public Target target() {
    return ANYWHERE;
  }
}
