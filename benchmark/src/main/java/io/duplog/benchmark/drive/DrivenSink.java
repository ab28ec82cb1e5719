package io.duplog.benchmark.drive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.HecSink;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.observe.Conditions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends messages through the bridge's HEC sink without a bridge, for {@code hec-foreign}, and
 * counts those that were refused. Not thread-safe: one thread delivers, and any thread may read the
 * count.
 */
final class DrivenSink implements AutoCloseable {
  private static final String SENDER_PREFIX = "192.0.2.7 ";

  private final Sink sink;
  private final int maxRequests;
  private final Semaphore freeRequests;

  private final DeliveryRequests requests =
      new DeliveryRequests() {
        @Override
        protected void accept(String name) {
          freeRequests.release();
        }

        @Override
        protected void refuse(Refused message) {
          super.refuse(message);
          message.kept().run();
        }
      };

  /**
   * Opens the sink.
   *
   * @param section YAML of the configuration section {@code sink.hec}
   * @param maxRequests maximum number of unaccepted delivery requests
   */
  DrivenSink(String section, int maxRequests) throws ConfigException, SinkException {
    HecSinkConfig config = ConfigLoader.ofSystem().parse("sink.hec", section, HecSinkConfig.class);
    this.maxRequests = maxRequests;
    this.freeRequests = new Semaphore(maxRequests);
    this.sink = HecSink.open(config, SinkContext.ofOnly(line -> {}, Conditions.ofSystem()));
  }

  /**
   * Delivers a batch of messages of one sender as soon as the limit allows it.
   *
   * @return false if the limit did not allow it within the time
   */
  boolean deliver(List<byte[]> messages, long waitNanos) throws InterruptedException {
    if (!freeRequests.tryAcquire(waitNanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    String[] prefixedMessages =
        messages.stream()
            .map(message -> SENDER_PREFIX + new String(message, ISO_8859_1))
            .toArray(String[]::new);
    sink.deliver(requests.ofSenders("", prefixedMessages));
    return true;
  }

  /**
   * Waits until all delivery requests are accepted. Returns false if they were not within the time.
   */
  boolean drain(long waitNanos) throws InterruptedException {
    if (!freeRequests.tryAcquire(maxRequests, waitNanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    freeRequests.release(maxRequests);
    return true;
  }

  /** Returns the number of messages that the sink permanently refused. */
  long refused() {
    return requests.refused().size();
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
