package io.duplog.receive;

import java.util.ArrayList;
import java.util.List;

/** A channel of a test's. */
public final class FakeChannel implements Delivery.Channel {
  /** The tags of the deliveries that are settled, in that order. */
  public final List<Long> settled = new ArrayList<>();

  public boolean lost;
  private final String stream;

  public FakeChannel(String stream) {
    this.stream = stream;
  }

  @Override
  public String stream() {
    return stream;
  }

  @Override
  public int queue() {
    return 0;
  }

  @Override
  public boolean isLost() {
    return lost;
  }

  @Override
  public void settled(long tag) {
    settled.add(tag);
  }

  @Override
  public void deadLetter(Delivery delivery, String reason) {
    throw new AssertionError(reason);
  }
}
