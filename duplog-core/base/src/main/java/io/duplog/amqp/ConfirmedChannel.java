package io.duplog.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes one message at a time to RabbitMQ, and waits until RabbitMQ has confirmed it. Not
 * thread-safe.
 */
public final class ConfirmedChannel {

  /**
   * Thrown if a message is not confirmed. The exception's message is a clause whose subject is the
   * broker.
   */
  public static final class UnconfirmedException extends IOException {
    private static final long serialVersionUID = 1L;

    UnconfirmedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private final Channel channel;
  private final long confirmTimeoutMillis;

  /**
   * Whether the broker returned the last message as unroutable, because its queue does not exist.
   */
  private volatile boolean messageReturned;

  /**
   * @param confirmTimeoutMillis maximum wait for a confirm
   */
  public ConfirmedChannel(Channel channel, long confirmTimeoutMillis) throws IOException {
    this.channel = channel;
    this.confirmTimeoutMillis = confirmTimeoutMillis;
    channel.confirmSelect();
    channel.addReturnListener(unroutable -> messageReturned = true);
  }

  /** Returns the underlying channel, for other requests to the broker. */
  public Channel channel() {
    return channel;
  }

  /**
   * Publishes a message, and returns when the broker has confirmed or rejected it.
   *
   * @return true if the broker has confirmed the message, false if it has rejected it, for example
   *     because the queue is full
   * @throws UnconfirmedException if the queue does not exist, or if the broker does not answer in
   *     time
   * @throws IOException if the channel fails
   */
  public boolean publish(String queue, AMQP.BasicProperties properties, byte[] body)
      throws IOException {
    messageReturned = false;
    channel.basicPublish("", queue, true, properties, body);
    boolean confirmed;
    try {
      confirmed = channel.waitForConfirms(confirmTimeoutMillis);
    } catch (TimeoutException e) {
      throw new UnconfirmedException(
          "has not confirmed a message within " + confirmTimeoutMillis + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnconfirmedException("interrupted", e);
    }
    if (messageReturned) {
      throw new UnconfirmedException("has no queue " + queue, null);
    }
    return confirmed;
  }
}
