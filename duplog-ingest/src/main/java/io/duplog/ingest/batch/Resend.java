package io.duplog.ingest.batch;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.wire.MessageBatch;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The batches of transactions whose COMMIT failed, and which of their messages rsyslog has still to
 * send again. Batches that RabbitMQ did not confirm may be in it or not, so they keep their ids and
 * are published again unchanged. Batches that it did confirm are not published again, because
 * another queue may refuse its own for longer than bridges remember an id.
 *
 * <p>rsyslog sends the same messages again, but not always in one transaction, nor in their order:
 * 8.2302 sends each in a transaction of its own, and if some of these fail too, those together
 * after the others. So messages are compared, not transactions: a batch stands for each of its
 * messages once, whenever it comes. The expectation has to end some time, because a new message
 * must never be taken for one that was published, while a repeated one with a new id is only a
 * duplicate. For one thread.
 *
 * @see "docs/decisions/shim.md#failed-transactions"
 */
final class Resend {
  private final MessageDigest sha256 = sha256();

  /**
   * Expected messages by digest; of equal messages, the one published first comes first. The
   * messages themselves would take many times the memory of their compressed batches.
   */
  private final Map<ByteBuffer, Deque<Expected>> expectedByDigest = new HashMap<>();

  /** Expected messages that rsyslog has sent again in the open transactions, in line order. */
  private final List<Expected> claimedMessages = new ArrayList<>();

  /** Those of transactions that are confirmed, while rsyslog has not been answered. */
  private final List<Expected> unansweredMessages = new ArrayList<>();

  /**
   * Expects all messages of this batch again, in addition to those expected already.
   *
   * @param done messages that rsyslog does not send again
   */
  void expect(Kept batch, BitSet done) {
    MessageBatch messages = batch.outgoingBatch.messages();
    for (int i = done.nextClearBit(0); i < messages.count(); i = done.nextClearBit(i + 1)) {
      ByteBuffer digest = digestOf(messages, i);
      of(digest).addLast(new Expected(batch, digest, i));
    }
  }

  /** Returns the digests of the messages that rsyslog sends again. */
  Set<ByteBuffer> digestsOf(List<BatchJournal.Entry> batches) {
    Set<ByteBuffer> digests = new HashSet<>();
    for (BatchJournal.Entry entry : batches) {
      MessageBatch messages = entry.batch().messages();
      BitSet done = entry.done();
      for (int i = done.nextClearBit(0); i < messages.count(); i = done.nextClearBit(i + 1)) {
        digests.add(digestOf(messages, i));
      }
    }
    return digests;
  }

  private ByteBuffer digestOf(MessageBatch messages, int message) {
    int start = messages.start(message);
    return digestOf(messages.data(), start, messages.end(message) - start);
  }

  private Deque<Expected> of(ByteBuffer digest) {
    return expectedByDigest.computeIfAbsent(digest, absent -> new ArrayDeque<>(1));
  }

  ByteBuffer digestOf(byte[] bytes, int offset, int length) {
    sha256.update(bytes, offset, length);
    return ByteBuffer.wrap(sha256.digest());
  }

  /** Returns a new SHA-256. */
  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Whether rsyslog owes no message of a failed transaction any more. */
  boolean isEmpty() {
    return expectedByDigest.isEmpty() && claimedMessages.isEmpty();
  }

  /**
   * Whether this line was expected, so that a batch stands for it; then it is expected once less.
   */
  boolean covers(byte[] buffer, int offset, int length) {
    ByteBuffer digest = digestOf(buffer, offset, length);
    Deque<Expected> same = expectedByDigest.get(digest);
    if (same == null) {
      return false;
    }
    claimedMessages.add(same.removeFirst());
    if (same.isEmpty()) {
      expectedByDigest.remove(digest);
    }
    return true;
  }

  /** Stops expecting messages, because rsyslog has sent a different one. */
  void expectNoMore() {
    expectedByDigest.clear();
  }

  /**
   * Returns the unconfirmed batches whose messages rsyslog has sent again in the open transactions.
   */
  List<OutgoingBatch> unconfirmed() {
    return claimedMessages.stream()
        .map(Expected::batch)
        .distinct()
        .filter(batch -> !batch.confirmed)
        .map(batch -> batch.outgoingBatch)
        .toList();
  }

  /**
   * Called when the open transactions were confirmed, and with them what stands for their lines.
   */
  void committed() {
    claimedMessages.forEach(each -> each.batch.confirmed = true);
    unansweredMessages.addAll(claimedMessages);
    claimedMessages.clear();
  }

  /** Called right before rsyslog gets the OK for what was committed. */
  void answered() {
    for (Expected each : unansweredMessages) {
      if (each.batch.place != null) {
        each.batch.place.done(each.message);
      }
    }
    unansweredMessages.clear();
  }

  /**
   * Called when the open transactions have failed; their lines are expected again.
   *
   * @param held batches of these transactions that were published beside {@link #unconfirmed}
   * @param withdrawn those of all these batches that are not confirmed
   */
  void failed(List<Kept> held, List<OutgoingBatch> withdrawn) {
    Set<String> unconfirmed =
        withdrawn.stream().map(batch -> batch.envelope().id()).collect(Collectors.toSet());
    claimedMessages.forEach(each -> each.batch.learn(unconfirmed));
    brokeOff();
    for (Kept batch : held) {
      batch.learn(unconfirmed);
      expect(batch, new BitSet());
    }
  }

  /**
   * Called when the open transactions have ended before they were published; their lines are
   * expected again.
   */
  void brokeOff() {
    for (int i = claimedMessages.size() - 1; i >= 0; i--) {
      Expected again = claimedMessages.get(i);
      of(again.digest).addFirst(again);
    }
    claimedMessages.clear();
  }

  /**
   * A message of a batch that rsyslog is expected to send again.
   *
   * @param message its number in the batch, from 0
   */
  private record Expected(Kept batch, ByteBuffer digest, int message) {}

  /** A batch that was published, or is about to be. */
  static final class Kept {
    private final OutgoingBatch outgoingBatch;
    private final BatchJournal.@Nullable Place place;
    private boolean confirmed;

    /**
     * Makes one that is not confirmed.
     *
     * @param place where the journal has it; null if it does not
     */
    Kept(OutgoingBatch outgoingBatch, BatchJournal.@Nullable Place place) {
      this.outgoingBatch = outgoingBatch;
      this.place = place;
    }

    /** Records that the batch is confirmed, unless its id is among the unconfirmed ones. */
    void learn(Set<String> unconfirmed) {
      confirmed |= !unconfirmed.contains(outgoingBatch.envelope().id());
    }
  }
}
