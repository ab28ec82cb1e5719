package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of one queue, as an administrator handles them. Looking leaves everything where
 * it is and in its order. For one thread.
 */
public final class DeadLetterQueue implements AutoCloseable {
  private static final long CONFIRM_MILLIS = 5000;

  /** How long {@link #close} waits for the broker's answer. */
  private static final int CLOSE_MILLIS = 2000;

  /**
   * One dead letter.
   *
   * @param number its place in the queue, from 1
   * @param reason why it could not be used
   * @param batch whether the body claims to be a batch; otherwise it is one plain message
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  public record Entry(
      int number, String reason, boolean batch, @Nullable String contentEncoding, byte[] body) {}

  private final QueueSettings settings;
  private final Connection connection;
  private final Channel channel;
  private volatile boolean returned;

  private DeadLetterQueue(QueueSettings settings, Connection connection) throws IOException {
    this.settings = settings;
    this.connection = connection;
    this.channel = connection.createChannel();
    ConsumerChannel.declareQueues(settings, channel);
    channel.confirmSelect();
    channel.addReturnListener(unroutable -> returned = true);
  }

  /**
   * Connects.
   *
   * @throws IOException whose message is one line for an operator
   */
  public static DeadLetterQueue open(QueueSettings settings) throws IOException {
    try {
      Connection connection =
          settings.connectionFactory().newConnection("duplog dead-letter, " + settings.queue());
      try {
        return new DeadLetterQueue(settings, connection);
      } catch (IOException | RuntimeException e) {
        connection.abort(CLOSE_MILLIS);
        throw e;
      }
    } catch (IOException | TimeoutException | RuntimeException e) {
      throw new IOException(BrokerFailure.describe(settings, e), e);
    }
  }

  /** How many there are. */
  public long depth() throws IOException {
    return channel.messageCount(queue());
  }

  /**
   * The first ones.
   *
   * @param most how many at most, since all of them are held in memory
   */
  public List<Entry> look(int most) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (GetResponse next = get(); next != null; next = entries.size() < most ? get() : null) {
      entries.add(entry(next, entries.size() + 1));
    }
    channel.basicRecover(true);
    return entries;
  }

  /**
   * Puts dead letters back into the queue that they came from, unchanged but for the reason. Each
   * leaves the dead-letter queue when the broker has confirmed it in the other one.
   *
   * @param chosen which of them
   * @return how many were put back
   * @throws IOException where the broker takes no more; those that were not put back are still here
   */
  public int replay(Predicate<Entry> chosen) throws IOException {
    int replayed = 0;
    long left = depth(); // what is dead-lettered again meanwhile is not replayed in a circle
    for (int number = 1; number <= left; number++) {
      GetResponse next = get();
      if (next == null) {
        break;
      }
      if (chosen.test(entry(next, number))) {
        publish(next);
        channel.basicAck(next.getEnvelope().getDeliveryTag(), false);
        replayed++;
      }
    }
    channel.basicRecover(true);
    return replayed;
  }

  private void publish(GetResponse letter) throws IOException {
    Map<String, Object> headers = new HashMap<>(headers(letter));
    headers.remove(Envelope.REASON_HEADER);
    AMQP.BasicProperties properties = letter.getProps().builder().headers(headers).build();
    channel.basicPublish("", settings.queue(), true, properties, letter.getBody());
    boolean confirmed;
    try {
      confirmed = channel.waitForConfirms(CONFIRM_MILLIS);
    } catch (TimeoutException e) {
      throw new IOException(settings + ": no confirm within " + CONFIRM_MILLIS + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (!confirmed || returned) {
      throw new IOException(settings + (confirmed ? " is gone" : " is full"));
    }
  }

  private @Nullable GetResponse get() throws IOException {
    return channel.basicGet(queue(), false);
  }

  private String queue() {
    return Topology.deadLetterQueue(settings.queue());
  }

  private static Entry entry(GetResponse letter, int number) {
    Object reason = headers(letter).getOrDefault(Envelope.REASON_HEADER, "no reason given");
    return new Entry(
        number,
        reason.toString(),
        Envelope.CONTENT_TYPE.equals(letter.getProps().getContentType()),
        letter.getProps().getContentEncoding(),
        letter.getBody());
  }

  private static Map<String, Object> headers(GetResponse letter) {
    Map<String, Object> headers = letter.getProps().getHeaders();
    return headers == null ? Map.of() : headers;
  }

  /** Disconnects; what was looked at and not put back is where it was. */
  @Override
  public void close() {
    connection.abort(CLOSE_MILLIS);
  }
}
