package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.StreamBroker;
import org.jspecify.annotations.Nullable;

/** Base of simulated channels for tests, which override it to learn how a delivery was settled. */
public class FakeChannel implements Delivery.Channel {
  public boolean lost;
  private final String stream;

  public FakeChannel(String stream) {
    this.stream = stream;
  }

  /** Returns the first delivery on this channel. */
  public final Delivery delivery(AMQP.BasicProperties properties, byte[] body) {
    return new Delivery(this, 1, false, properties, body, new HeldBytes(Long.MAX_VALUE));
  }

  @Override
  public final String stream() {
    return stream;
  }

  @Override
  public final int queue() {
    return 0;
  }

  @Override
  public @Nullable StreamBroker broker() {
    return null;
  }

  @Override
  public final boolean isLost() {
    return lost;
  }

  @Override
  public void settled(long tag) {}

  @Override
  public void deadLetter(Delivery delivery, String reason) {
    throw new AssertionError(reason);
  }

  @Override
  public void giveBack(long tag, String reason) {
    throw new AssertionError(reason);
  }
}
