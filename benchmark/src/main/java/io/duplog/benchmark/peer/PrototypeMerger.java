package io.duplog.benchmark.peer;

import com.google.common.hash.Hashing;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.duplog.wire.Topology;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;

/**
 * Merges two streams in the way of Duplog's prototype of 2013, to compare its speed with the
 * bridge's. According to its published description, it has a consumer for each broker, unlimited
 * prefetch, and one acknowledgement each second. Each message is hashed with murmur3 and takes one
 * transaction in Redis. The transaction increments the counter of the message's own stream and
 * decrements the counters of the other streams. The message is new if its own counter is above zero
 * afterwards.
 *
 * <p>The description leaves some freedom, which is used for speed. Each broker has its own thread
 * and connection to Redis, and the commands of a transaction are pipelined. No key expires, because
 * no expiry is described.
 */
public final class PrototypeMerger {
  private PrototypeMerger() {}

  /**
   * Runs until the process is ended.
   *
   * @param ports the port of Redis, followed by those of the brokers
   */
  public static void main(String[] ports)
      throws IOException, TimeoutException, InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
    List<Stream> streams = new ArrayList<>();
    for (int i = 1; i < ports.length; i++) {
      Channel channel = PrototypePublisher.connection(ports[i]).createChannel();
      Jedis redis = new Jedis("127.0.0.1", Integer.parseInt(ports[0]));
      Stream stream = new Stream(channel, redis, i, ports.length);
      channel.queueDeclare(Topology.DEFAULT_QUEUE, true, false, false, null);
      channel.basicConsume(Topology.DEFAULT_QUEUE, stream);
      streams.add(stream);
    }
    while (true) {
      TimeUnit.SECONDS.sleep(1);
      for (Stream stream : streams) {
        stream.acknowledge();
      }
    }
  }

  private static final class Stream extends DefaultConsumer {
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final Jedis redis;
    private final int number;
    private final int numberLimit;
    private long acknowledgedTag;
    private volatile long lastDeliveryTag;

    /** Consumes one stream. All streams have numbers from 1 to below a limit. */
    Stream(Channel channel, Jedis redis, int number, int numberLimit) {
      super(channel);
      this.redis = redis;
      this.number = number;
      this.numberLimit = numberLimit;
    }

    @Override
    public void handleDelivery(
        String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
        throws IOException {
      if (isNew(body)) {
        byte[] line = Arrays.copyOf(body, body.length + 1);
        line[body.length] = '\n';
        out.write(line); // The file is open for appending, so lines of two threads are not mixed.
      }
      lastDeliveryTag = envelope.getDeliveryTag();
    }

    private boolean isNew(byte[] message) {
      String key = Hashing.murmur3_128().hashBytes(message) + ":";
      Pipeline pipeline =
          redis.pipelined(); // This client's Transaction would wait for two answers.
      pipeline.sendCommand(Protocol.Command.MULTI, new byte[0][]);
      for (int other = 1; other < numberLimit; other++) {
        if (other != number) {
          pipeline.decr(key + other);
        }
      }
      pipeline.incr(key + number);
      Response<Object> counters = pipeline.sendCommand(Protocol.Command.EXEC, new byte[0][]);
      pipeline.sync();
      return counters.get() instanceof List<?> counts
          && counts.get(counts.size() - 1) instanceof Long ownCounter
          && ownCounter > 0;
    }

    void acknowledge() throws IOException {
      long deliveredTag = lastDeliveryTag;
      if (deliveredTag > acknowledgedTag) {
        getChannel().basicAck(deliveredTag, true);
        acknowledgedTag = deliveredTag;
      }
    }
  }
}
