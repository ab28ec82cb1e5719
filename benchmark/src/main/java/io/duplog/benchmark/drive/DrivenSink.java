package io.duplog.benchmark.drive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.HecSink;
import io.duplog.deliver.hec.HecSinkConfig;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The bridge's HEC sink with a bounded number of unaccepted delivery requests, as the bridge's
 * prefetch would bound them. One thread delivers; any thread may read the count.
 */
final class DrivenSink implements AutoCloseable {
  private static final String SENDER = "192.0.2.7 ";

  private final Sink sink;
  private final int bound;
  private final Semaphore freePlaces;

  private final DeliveryRequests requests =
      new DeliveryRequests() {
        @Override
        protected void accept(String name) {
          freePlaces.release();
        }

        @Override
        protected void refuse(Refused one) {
          super.refuse(one);
          one.kept().run();
        }
      };

  /**
   * Opens the sink.
   *
   * @param section YAML of the configuration section {@code sink.hec}
   * @param bound largest number of unaccepted delivery requests
   */
  DrivenSink(String section, int bound) throws ConfigException, SinkException {
    HecSinkConfig config = ConfigLoader.ofSystem().parse("sink.hec", section, HecSinkConfig.class);
    this.bound = bound;
    this.freePlaces = new Semaphore(bound);
    this.sink = HecSink.open(config, line -> {});
  }

  /**
   * Delivers a batch of messages of one sender as soon as the bound allows it.
   *
   * @return false if the bound did not allow it within the time
   */
  boolean deliver(List<byte[]> messages, long waitNanos) throws InterruptedException {
    if (!freePlaces.tryAcquire(waitNanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    String[] withSender =
        messages.stream()
            .map(message -> SENDER + new String(message, ISO_8859_1))
            .toArray(String[]::new);
    sink.deliver(requests.ofSenders("", withSender));
    return true;
  }

  /**
   * Waits until all delivery requests are accepted; returns false if they were not within the time.
   */
  boolean drain(long waitNanos) throws InterruptedException {
    if (!freePlaces.tryAcquire(bound, waitNanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    freePlaces.release(bound);
    return true;
  }

  /** Returns the number of messages that the sink refused for good. */
  long refused() {
    return requests.refused().size();
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
