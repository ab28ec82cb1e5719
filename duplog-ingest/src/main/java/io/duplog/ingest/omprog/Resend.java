package io.duplog.ingest.omprog;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.wire.MessageBatch;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The batches of transactions whose COMMIT failed, and which of their messages rsyslog has still to
 * send again. Those that RabbitMQ did not confirm may be in it or not; so they keep their ids, and
 * are published again as they are. Those that it did confirm are not, since one of several queues
 * may refuse for longer than bridges know an id.
 *
 * <p>rsyslog sends the same messages again, but not always in one transaction, nor in their order:
 * 8.2302 sends each in one of its own, and when some of these fail too, those together after the
 * others. So messages are compared, not transactions: a batch stands for each of its messages once,
 * whenever it comes. The first line that is none of them ends the expectation: a new message must
 * never be taken for one that was published, and a repeated one with a new id is but a duplicate.
 * For one thread.
 */
final class Resend {
  private final MessageDigest sha256 = sha256();

  /**
   * What is expected, by the digest of its content; of the same content, what was published first.
   * The messages themselves would take many times what their batches take, which are compressed.
   */
  private final Map<ByteBuffer, Deque<Expected>> expected = new HashMap<>();

  /** What stands for lines of the open transactions, in the order of the lines. */
  private final List<Expected> claimed = new ArrayList<>();

  /** Expects the messages of this batch, besides all others. */
  private void add(Kept batch) {
    MessageBatch messages = batch.outgoing.messages();
    for (int i = 0; i < messages.count(); i++) {
      int start = messages.start(i);
      ByteBuffer digest = digestOf(messages.data(), start, messages.end(i) - start);
      of(digest).addLast(new Expected(batch, digest));
    }
  }

  private Deque<Expected> of(ByteBuffer digest) {
    return expected.computeIfAbsent(digest, absent -> new ArrayDeque<>(1));
  }

  private ByteBuffer digestOf(byte[] bytes, int offset, int length) {
    sha256.update(bytes, offset, length);
    return ByteBuffer.wrap(sha256.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Whether nothing is expected any more, and nothing stands for the open transactions. */
  boolean isEmpty() {
    return expected.isEmpty() && claimed.isEmpty();
  }

  /** Whether this line is expected, so that a batch stands for it; once for each time it is. */
  boolean covers(byte[] buffer, int offset, int length) {
    ByteBuffer digest = digestOf(buffer, offset, length);
    Deque<Expected> same = expected.get(digest);
    if (same == null) {
      return false;
    }
    claimed.add(same.removeFirst());
    if (same.isEmpty()) {
      expected.remove(digest);
    }
    return true;
  }

  /** Expects no more: rsyslog has sent something else. */
  void expectNoMore() {
    expected.clear();
  }

  /** Batches that stand for lines of the open transactions and are not confirmed. */
  List<OutgoingBatch> unconfirmed() {
    return claimed.stream()
        .map(Expected::batch)
        .distinct()
        .filter(batch -> !batch.confirmed)
        .map(batch -> batch.outgoing)
        .toList();
  }

  /** The open transactions were published, and with them what stands for their lines. */
  void committed() {
    claimed.forEach(each -> each.batch.confirmed = true);
    claimed.clear();
  }

  /**
   * The open transactions have failed: their lines are expected again.
   *
   * @param held what was published of them beside {@link #unconfirmed}
   * @param withdrawn what of all this is not confirmed
   */
  void failed(List<OutgoingBatch> held, List<OutgoingBatch> withdrawn) {
    Set<String> unconfirmed =
        withdrawn.stream().map(batch -> batch.envelope().id()).collect(Collectors.toSet());
    for (int i = claimed.size() - 1; i >= 0; i--) {
      Expected again = claimed.get(i);
      again.batch.learn(unconfirmed);
      of(again.digest).addFirst(again);
    }
    claimed.clear();
    for (OutgoingBatch batch : held) {
      Kept kept = new Kept(batch);
      kept.learn(unconfirmed);
      add(kept);
    }
  }

  /** A message of a batch. */
  private record Expected(Kept batch, ByteBuffer digest) {}

  private static final class Kept {
    private final OutgoingBatch outgoing;
    private boolean confirmed;

    Kept(OutgoingBatch outgoing) {
      this.outgoing = outgoing;
    }

    /** It was published: it is confirmed, or its id is among these. */
    void learn(Set<String> unconfirmed) {
      confirmed |= !unconfirmed.contains(outgoing.envelope().id());
    }
  }
}
