package io.duplog.benchmark.part;

import io.duplog.bridge.SenderHeaders;
import io.duplog.dedup.SharedTexts;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.senders.SenderInventory;
import io.duplog.wire.MessageBatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Microbenchmark of how fast a bridge counts each sender's messages, without the exchange with
 * Redis.
 */
@State(Scope.Benchmark)
public class SenderCounting {
  private static final int MESSAGE_BYTES = 110;

  /** Number of senders, which alternate. */
  @Param({"1", "100", "100000"})
  public int senders;

  private final List<MessageBatch> batches = new ArrayList<>();
  private final BitSet allMessages = new BitSet();
  SenderInventory inventory;
  private int nextIndex;

  @Setup
  public void prepare() {
    allMessages.set(0, SampleBatch.MESSAGES);
    for (int first = 0; first < senders; first += SampleBatch.MESSAGES) {
      String[] messages = SampleBatch.messages(MESSAGE_BYTES);
      for (int i = 0; i < messages.length; i++) {
        int sender = (first + i) % senders;
        messages[i] =
            "10.%d.%d.%d".formatted(sender >> 16, sender >> 8 & 255, sender & 255)
                + messages[i].substring(messages[i].indexOf(' '));
      }
      batches.add(DeliveryRequests.batch(true, messages));
    }
    inventory =
        new SenderInventory(
            List.of("a", "b"),
            SharedTexts.ofOneBridge(),
            senders,
            new SenderHeaders(null),
            stream -> true,
            System::currentTimeMillis);
  }

  /** Counts the next batch. All its messages are delivered. */
  @Benchmark
  @OperationsPerInvocation(SampleBatch.MESSAGES)
  public void count() {
    inventory.counted(batches.get(nextIndex), 0, allMessages, System.currentTimeMillis());
    nextIndex = (nextIndex + 1) % batches.size();
  }
}
