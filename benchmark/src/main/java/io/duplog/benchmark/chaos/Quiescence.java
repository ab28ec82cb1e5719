package io.duplog.benchmark.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.rig.LabException;
import io.duplog.wire.MessageBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Waits for what is still under way when the load has ended: until nothing is missing, every batch
 * is settled, so that nothing can follow, and the sink is quiet.
 *
 * @param errors gets what does not come to an end
 */
record Quiescence(Lab lab, Load load, DeliveryWatch watch, List<String> errors) {
  private static final long POLL_MILLIS = 250;
  private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();

  /** From rsyslog to the sink, on a busy machine. */
  private static final long LAST_NANOS = Duration.ofSeconds(5).toNanos();

  /** Longer than a lease, the longest pause between two attempts, and then some. */
  private static final long GIVEN_UP_NANOS = Duration.ofSeconds(45).toNanos();

  /**
   * Returns what became of every message. A dead letter counts as delivered: the message is where
   * an administrator finds it.
   *
   * @param refused how many dead letters there should be
   * @param lost how many messages may never come: then it's over when none has for a while
   */
  Reconciliation await(int refused, long lost) throws IOException, InterruptedException {
    await(() -> counts().lost() <= refused + lost, GIVEN_UP_NANOS);
    await(() -> counts().lost() <= refused, LAST_NANOS);
    awaitSettlement();
    takeDeadLetters(refused);
    await(() -> false, QUIET_NANOS);
    return counts();
  }

  private Reconciliation counts() {
    return watch.whileStill(load::reconcile);
  }

  /** Until that is so, or nothing has come for so long. */
  private void await(BooleanSupplier over, long quietNanos) throws InterruptedException {
    long delivered = watch.delivered();
    long changedNanos = System.nanoTime();
    while (!over.getAsBoolean() && System.nanoTime() - changedNanos < quietNanos) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      if (watch.delivered() != delivered) {
        delivered = watch.delivered();
        changedNanos = System.nanoTime();
      }
    }
  }

  private void awaitSettlement() throws InterruptedException {
    long deadline = System.nanoTime() + GIVEN_UP_NANOS;
    try {
      for (IngestNode node : lab.nodes()) {
        long unsettled = node.unsettled();
        while (unsettled > 0 && System.nanoTime() - deadline < 0) {
          TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
          unsettled = node.unsettled();
        }
        if (unsettled > 0) {
          errors.add("%s: %d batches stay unsettled".formatted(node.stream(), unsettled));
        }
      }
    } catch (LabException e) {
      errors.add(String.valueOf(e.getMessage()));
    }
  }

  /** A message that was sent several times is one, since what refuses it looks at its text. */
  private void takeDeadLetters(int expected) throws IOException {
    Map<String, MessageBatch> letters = new HashMap<>(); // most of them stand on two brokers
    for (IngestNode node : lab.nodes()) {
      letters.putAll(node.queue().takeDeadLetters());
    }
    Set<String> texts = new HashSet<>();
    for (MessageBatch batch : letters.values()) {
      for (int i = 0; i < batch.count(); i++) {
        int start = batch.textStart(i);
        int length = batch.end(i) - start;
        watch.countElsewhere(batch.data(), start, length);
        texts.add(new String(batch.data(), start, length, ISO_8859_1));
      }
    }
    if (texts.size() != expected) {
      errors.add("%d dead letters in place of %d".formatted(texts.size(), expected));
    }
  }
}
