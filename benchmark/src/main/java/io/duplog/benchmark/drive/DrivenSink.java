package io.duplog.benchmark.drive;

import com.google.common.primitives.Bytes;
import io.duplog.benchmark.part.SampleBatch;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.HecSink;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.wire.MessageBatch;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The bridge's HEC sink with a bounded number of unaccepted delivery requests, as the bridge's
 * prefetch would bound them. One thread delivers; any thread may read the counts.
 */
final class DrivenSink implements AutoCloseable {
  private static final byte[] SENDER = {'1', '9', '2', '.', '0', '.', '2', '.', '7', ' '};

  private final Sink sink;
  private final int bound;
  private final Semaphore free;
  private final LongAdder accepted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private volatile String broken = "";

  /**
   * Opens the sink.
   *
   * @param section YAML of the configuration section {@code sink.hec}
   * @param bound largest number of unaccepted delivery requests
   */
  DrivenSink(String section, int bound) throws ConfigException, SinkException {
    HecSinkConfig config = ConfigLoader.ofSystem().parse("sink.hec", section, HecSinkConfig.class);
    this.bound = bound;
    this.free = new Semaphore(bound);
    this.sink = HecSink.open(config, line -> broken = line);
  }

  /** Makes a batch of messages that all come from the same sender's address. */
  static MessageBatch batch(List<byte[]> messages) {
    return SampleBatch.decoded(
        messages.stream().map(message -> Bytes.concat(SENDER, message)).toList());
  }

  /**
   * Delivers a batch as soon as the bound allows it.
   *
   * @return false if the bound did not allow it within the time
   */
  boolean deliver(MessageBatch batch, long waitNanos) throws InterruptedException {
    if (!free.tryAcquire(waitNanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    BitSet all = new BitSet();
    all.set(0, batch.count());
    sink.deliver(
        new DeliveryRequest(
            "syslog-a",
            batch,
            all,
            DeliveryRequest.Passage.KEPT,
            System.currentTimeMillis(),
            message -> "%032x".formatted(message),
            new Settling(batch.count())));
    return true;
  }

  /**
   * Waits until all delivery requests are accepted; returns false if they were not within the time.
   */
  boolean drain(long waitNanos) throws InterruptedException {
    if (!free.tryAcquire(bound, waitNanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    free.release(bound);
    return true;
  }

  private final class Settling implements DeliveryRequest.Callback {
    private final int messages;

    Settling(int messages) {
      this.messages = messages;
    }

    @Override
    public void accepted() {
      accepted.add(messages);
      free.release();
    }

    @Override
    public void withdrawn() {
      free.release();
    }

    @Override
    public void refused(int message, String reason, Runnable kept) {
      refused.increment();
      kept.run();
    }
  }

  /** Returns the number of messages in accepted delivery requests, refused messages included. */
  long accepted() {
    return accepted.sum();
  }

  /** Returns the number of messages that the sink refused for good. */
  long refused() {
    return refused.sum();
  }

  /** Returns the reason why the sink has failed; empty if it has not failed. */
  String broken() {
    return broken;
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
