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
 * Waits after the end of the load until no message is missing, the sink is quiet, and every batch
 * has left its queue, so that no more messages can follow.
 *
 * @param errors gets an entry if batches stay in a queue, or the dead letters are not as expected
 */
record Quiescence(Lab lab, Load load, DeliveryWatch watch, List<String> errors) {
  private static final long POLL_MILLIS = 250;
  private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * Time without progress after which the wait ends; it is longer than a lease plus the longest
   * pause between two attempts.
   */
  private static final long GIVEN_UP_NANOS = Duration.ofSeconds(45).toNanos();

  /**
   * Waits, and returns what became of every message. A dead letter counts as delivered, because an
   * administrator finds the message there.
   *
   * @param refused expected number of dead letters
   */
  Reconciliation await(int refused) throws IOException, InterruptedException {
    await(() -> counts().lost() <= refused, GIVEN_UP_NANOS);
    awaitSettlement();
    takeDeadLetters(refused);
    await(() -> false, QUIET_NANOS);
    return counts();
  }

  private Reconciliation counts() {
    return watch.whileStill(load::reconcile);
  }

  /** Waits until a condition holds, or nothing has been delivered for {@code quietNanos}. */
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

  /**
   * Counts the dead letters as delivered, and checks how many different messages they hold. A
   * message that was sent several times counts once, because the sink refuses it by its text.
   */
  private void takeDeadLetters(int expected) throws IOException {
    Map<String, MessageBatch> letters = new HashMap<>(); // by batch id, as most are on two brokers
    for (IngestNode node : lab.nodes()) {
      letters.putAll(node.queue().takeDeadLetters());
    }
    Set<String> texts = new HashSet<>();
    for (MessageBatch batch : letters.values()) {
      for (int i = 0; i < batch.count(); i++) {
        int start = batch.textStart(i);
        int length = batch.end(i) - start;
        long serial = load.messages().serialOf(batch.data(), start, length);
        watch.whileStill(delivered -> delivered.add(serial));
        texts.add(new String(batch.data(), start, length, ISO_8859_1));
      }
    }
    if (texts.size() != expected) {
      errors.add("%d dead letters in place of %d".formatted(texts.size(), expected));
    }
  }
}
