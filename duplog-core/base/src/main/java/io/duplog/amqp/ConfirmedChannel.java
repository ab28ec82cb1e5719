package io.duplog.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes one message at a time, and waits for its publisher confirm. Not safe for concurrent
 * use.
 */
public final class ConfirmedChannel {

  /**
   * Thrown if a message is not confirmed. The exception's message is to follow the broker's name.
   */
  public static final class UnconfirmedException extends IOException {
    private static final long serialVersionUID = 1L;

    UnconfirmedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private final Channel channel;
  private final long patienceMillis;

  /**
   * Whether the broker returned the last message as unroutable, because its queue does not exist.
   */
  private volatile boolean returned;

  /**
   * @param patienceMillis longest wait for a confirm
   */
  public ConfirmedChannel(Channel channel, long patienceMillis) throws IOException {
    this.channel = channel;
    this.patienceMillis = patienceMillis;
    channel.confirmSelect();
    channel.addReturnListener(unroutable -> returned = true);
  }

  /** Returns the underlying channel, for other requests to the broker. */
  public Channel channel() {
    return channel;
  }

  /**
   * Publishes a message, and returns when the broker has confirmed or rejected it.
   *
   * @return true if the broker has confirmed it, false if it has rejected it, such as for a full
   *     queue
   * @throws UnconfirmedException if there is no such queue, or if the broker does not answer
   * @throws IOException if the channel fails
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
