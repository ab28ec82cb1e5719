package io.duplog.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.redis.RedisInspection;
import io.duplog.receive.QueueProbe;
import io.duplog.receive.QueueProbe.State;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import io.duplog.wire.MessageForm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends a test message through every stream's queue, and checks that a bridge delivers it once. It
 * follows the message: the broker confirms it, a bridge judges it, the sink accepts it. The last
 * two are visible in Redis, where the bridges record them under the batch's id. One copy is kept
 * and the others are dropped, so the sink gets one message.
 *
 * @param queues one queue of each stream
 * @param redis the Redis to inspect, which is closed afterwards, or null if bridges deduplicate in
 *     their own memory
 * @param window the window in the bridges' configuration
 * @see "docs/decisions/doctor.md#doctor-canaries"
 */
public record PathCanary(
    List<QueueSettings> queues, @Nullable RedisInspection redis, Duration window, String id)
    implements Check {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** An address reserved for documentation (RFC 5737), so no sender has it. */
  private static final String SENDER = "192.0.2.1";

  @Override
  public String subject() {
    return "canary through each path, as sent by a shim";
  }

  @Override
  public void examine(Findings findings) {
    try {
      queues.forEach(queue -> send(queue, findings));
    } finally {
      if (redis != null) {
        redis.close();
      }
    }
  }

  private void send(QueueSettings queue, Findings findings) {
    try (QueueProbe probe = QueueProbe.open(queue)) {
      if (!(probe.queue() instanceof State.AsDeclared state && state.consumers() > 0)) {
        findings.notChecked(
            queue.stream() + ": no canary was sent, because no bridge reads the queue",
            "start a bridge");
        return;
      }
      String batchId = "canary-" + id + "-" + queue.stream();
      long since = System.nanoTime();
      Envelope envelope =
          new Envelope(
              batchId, queue.stream(), 1, System.currentTimeMillis(), ContentEncoding.IDENTITY);
      long confirmed = probe.publish(envelope, batch());
      findings.ok(
          "%s: published, confirmed by the broker after %s"
              .formatted(queue.stream(), Times.millis(confirmed)));
      if (redis == null) {
        findings.notChecked(
            queue.stream()
                + ": judgement and delivery are not visible, because bridges share no Redis",
            "search for 'duplog canary " + id + "' in the sink; it must be there once");
      } else {
        follow(queue.stream(), batchId, since, redis, findings);
      }
    } catch (IOException e) {
      findings.problem(
          String.valueOf(e.getMessage()),
          "the shim can't publish either, and messages wait in rsyslog",
          "check the findings about this queue");
    } catch (LedgerUnavailableException e) {
      findings.notChecked(
          String.valueOf(e.getMessage()), "search for 'duplog canary " + id + "' in the sink");
    }
  }

  private void follow(
      String stream, String batchId, long since, RedisInspection redis, Findings findings)
      throws LedgerUnavailableException {
    List<String> steps = new ArrayList<>();
    while (System.nanoTime() - since < PATIENCE.toNanos()) {
      RedisInspection.Batch now = redis.batch(batchId, window);
      if (now != RedisInspection.Batch.UNKNOWN && steps.isEmpty()) {
        steps.add("judged by a bridge after " + Times.millis(System.nanoTime() - since));
      }
      if (now == RedisInspection.Batch.DELIVERED) {
        steps.add(
            "done (kept and accepted by the sink, or dropped) after "
                + Times.millis(System.nanoTime() - since));
        findings.ok(stream + ": " + String.join(", ", steps));
        return;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    boolean judged = !steps.isEmpty();
    findings.problem(
        "%s: %s within %d s"
            .formatted(
                stream,
                judged ? steps.get(0) + ", but not accepted by the sink" : "not judged by a bridge",
                PATIENCE.toSeconds()),
        judged ? "messages wait for the sink" : "this stream is not merged, or is not deduplicated",
        judged ? "check the sink's findings" : "check the bridges' logs, and their dedup.redis");
  }

  private EncodedBatch batch() {
    byte[] message = (SENDER + " " + SyslogCanary.text(id)).getBytes(UTF_8);
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.SENDER_AND_TEXT, false)) {
      encoder.add(message, 0, message.length);
      return encoder.encode();
    }
  }
}
