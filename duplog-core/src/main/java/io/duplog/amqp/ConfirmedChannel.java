package io.duplog.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Publishes one message at a time, and waits for the broker's word on it. For one thread. */
public final class ConfirmedChannel {

  /** What was published is not confirmed; the message goes behind the broker's name. */
  public static final class UnconfirmedException extends IOException {
    private static final long serialVersionUID = 1L;

    UnconfirmedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private final Channel channel;
  private final long patienceMillis;

  /** Whether the broker sent the last one back, since its queue is not there. */
  private volatile boolean returned;

  /**
   * @param patienceMillis the longest wait for a confirm
   */
  public ConfirmedChannel(Channel channel, long patienceMillis) throws IOException {
    this.channel = channel;
    this.patienceMillis = patienceMillis;
    channel.confirmSelect();
    channel.addReturnListener(unroutable -> returned = true);
  }

  /** For everything else that is asked of the broker. */
  public Channel channel() {
    return channel;
  }

  /**
   * Returns when the broker has confirmed the message, or has rejected it.
   *
   * @return whether it has confirmed it; not so where the queue is full
   * @throws UnconfirmedException where there is no such queue, or the broker says nothing
   * @throws IOException where the channel fails
   */
  public boolean publish(String queue, AMQP.BasicProperties properties, byte[] body)
      throws IOException {
    returned = false;
    channel.basicPublish("", queue, true, properties, body);
    boolean confirmed;
    try {
      confirmed = channel.waitForConfirms(patienceMillis);
    } catch (TimeoutException e) {
      throw new UnconfirmedException(
          "has not confirmed a message within " + patienceMillis + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnconfirmedException("interrupted", e);
    }
    if (returned) {
      throw new UnconfirmedException("has no queue " + queue, null);
    }
    return confirmed;
  }
}
