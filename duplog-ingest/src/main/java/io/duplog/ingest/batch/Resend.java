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
 * Recognises messages that rsyslog sends again after a failed transaction, so that their batches
 * are published under the same ids. RabbitMQ may contain a batch that it did not confirm. Such a
 * batch keeps its id and is published again unchanged. A confirmed batch is not published again,
 * because another queue may refuse its batch for longer than bridges remember an id.
 *
 * <p>rsyslog sends the same messages again, but not always in a single transaction or in the same
 * order. Version 8.2302 sends each message in a separate transaction. If some of these fail again,
 * it sends these messages together after the others. Therefore this class compares messages instead
 * of transactions: a batch covers each of its messages once, whenever the message arrives. This
 * class must stop expecting messages at some point. A new message must never be mistaken for a
 * published one, while a message that is published again with a new id is only a duplicate. Not
 * thread-safe.
 *
 * @see "docs/decisions/shim.md#failed-transactions"
 */
final class Resend {
  private final MessageDigest sha256 = sha256();

  /**
   * Expected messages by digest. Equal messages are in the order of their publication. The messages
   * themselves would need many times the memory of their compressed batches.
   */
  private final Map<ByteBuffer, Deque<Expected>> expectedByDigest = new HashMap<>();

  /**
   * Expected messages that rsyslog has sent again in the open transactions, in the order of their
   * lines.
   */
  private final List<Expected> claimedMessages = new ArrayList<>();

  /** Expected messages of confirmed transactions that have not been answered to rsyslog yet. */
  private final List<Expected> unansweredMessages = new ArrayList<>();

  /**
   * Expects the messages of a batch again, in addition to the messages already expected.
   *
   * @param done numbers of the messages that rsyslog will not send again
   */
  void expect(TrackedBatch batch, BitSet done) {
    MessageBatch messages = batch.outgoingBatch.messages();
    for (int i = done.nextClearBit(0); i < messages.count(); i = done.nextClearBit(i + 1)) {
      ByteBuffer digest = digestOf(messages, i);
      expectedWith(digest).addLast(new Expected(batch, digest, i));
    }
  }

  /** Returns the digests of the messages that rsyslog will send again. */
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
    int start = messages.encodedStart(message);
    return digestOf(messages.data(), start, messages.end(message) - start);
  }

  private Deque<Expected> expectedWith(ByteBuffer digest) {
    return expectedByDigest.computeIfAbsent(digest, absent -> new ArrayDeque<>(1));
  }

  ByteBuffer digestOf(byte[] bytes, int offset, int length) {
    sha256.update(bytes, offset, length);
    return ByteBuffer.wrap(sha256.digest());
  }

  /** Returns a new SHA-256 digest. */
  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Whether rsyslog has sent all messages of failed transactions again. */
  boolean isEmpty() {
    return expectedByDigest.isEmpty() && claimedMessages.isEmpty();
  }

  /**
   * Whether a message is expected, so that a batch covers it. If so, the message is claimed and
   * expected one time less.
   */
  boolean claim(byte[] buffer, int offset, int length) {
    ByteBuffer digest = digestOf(buffer, offset, length);
    Deque<Expected> equalMessages = expectedByDigest.get(digest);
    if (equalMessages == null) {
      return false;
    }
    claimedMessages.add(equalMessages.removeFirst());
    if (equalMessages.isEmpty()) {
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
   * Called when RabbitMQ has confirmed the open transactions, including the batches that cover
   * their messages.
   */
  void transactionsConfirmed() {
    claimedMessages.forEach(each -> each.batch.confirmed = true);
    unansweredMessages.addAll(claimedMessages);
    claimedMessages.clear();
  }

  /** Called immediately before rsyslog gets the OK for the confirmed transactions. */
  void transactionsAnswered() {
    for (Expected each : unansweredMessages) {
      if (each.batch.position != null) {
        each.batch.position.markDone(each.message);
      }
    }
    unansweredMessages.clear();
  }

  /**
   * Called when the open transactions have failed. Their messages are expected again.
   *
   * @param published batches of these transactions that were published in addition to {@link
   *     #unconfirmed}
   * @param withdrawn the unconfirmed batches among all these batches
   */
  void transactionsFailed(List<TrackedBatch> published, List<OutgoingBatch> withdrawn) {
    Set<String> unconfirmed =
        withdrawn.stream().map(batch -> batch.envelope().id()).collect(Collectors.toSet());
    claimedMessages.forEach(each -> each.batch.update(unconfirmed));
    transactionsDropped();
    for (TrackedBatch batch : published) {
      batch.update(unconfirmed);
      expect(batch, new BitSet());
    }
  }

  /**
   * Called when the open transactions have ended before they were published. Their messages are
   * expected again.
   */
  void transactionsDropped() {
    for (int i = claimedMessages.size() - 1; i >= 0; i--) {
      Expected expected = claimedMessages.get(i);
      expectedWith(expected.digest).addFirst(expected);
    }
    claimedMessages.clear();
  }

  /**
   * A message that rsyslog is expected to send again.
   *
   * @param message number of the message in the batch, counted from 0
   */
  private record Expected(TrackedBatch batch, ByteBuffer digest, int message) {}

  /** A batch that was published or is about to be published. */
  static final class TrackedBatch {
    private final OutgoingBatch outgoingBatch;
    private final BatchJournal.@Nullable Position position;
    private boolean confirmed;

    /**
     * Creates a batch that is not confirmed.
     *
     * @param position position in the journal, or null if the journal does not contain the batch
     */
    TrackedBatch(OutgoingBatch outgoingBatch, BatchJournal.@Nullable Position position) {
      this.outgoingBatch = outgoingBatch;
      this.position = position;
    }

    /** Records that the batch is confirmed, unless its id is one of the unconfirmed ids. */
    void update(Set<String> unconfirmed) {
      confirmed |= !unconfirmed.contains(outgoingBatch.envelope().id());
    }
  }
}
