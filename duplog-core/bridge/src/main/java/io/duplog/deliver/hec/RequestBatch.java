package io.duplog.deliver.hec;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one HEC request, which may come from several batches. While it is filled, it is
 * not thread-safe; afterwards it does not change.
 */
final class RequestBatch {
  /** Reason to {@link #markResent}: the indexers did not acknowledge within {@code ack-timeout}. */
  static final String ACK_TIMEOUT = "ack-timeout";

  /**
   * Reason to {@link #markResent}: Splunk received the request, but no id can be trusted to
   * acknowledge it.
   */
  static final String UNACKNOWLEDGED = "unacknowledged";

  /** Reason to {@link #markResent}: no answer shows whether Splunk indexed the events. */
  static final String UNANSWERED = "unanswered";

  /**
   * Consecutive messages of one delivery request.
   *
   * @param first index of the first message in its batch
   * @param last index of the last message in its batch
   * @param count number of messages; those between {@code first} and {@code last} that are not to
   *     be delivered don't count
   */
  record Run(Completion completion, int first, int last, int count) {

    /**
     * Returns the messages numbered {@code from} to {@code to}, exclusive, counted from 0. There
     * must be at least one.
     */
    Run part(int from, int to) {
      int begin = first;
      for (int i = 0; i < from; i++) {
        begin = completion.nextMessage(begin + 1);
      }
      int end = begin;
      for (int i = from + 1; i < to; i++) {
        end = completion.nextMessage(end + 1);
      }
      return new Run(completion, begin, end, to - from);
    }

    /** Calls the action for each message, in order. */
    void forEach(ObjIntConsumer<Completion> action) {
      int message = first;
      for (int i = 0; i < count; i++) {
        action.accept(completion, message);
        message = completion.nextMessage(message + 1);
      }
    }
  }

  /**
   * The reason why a failed batch is retried separately, after growing pauses.
   *
   * @param failures how often exactly these messages failed, which determines the pause
   * @param isUrlHealthy whether the URL accepted an empty request after the last failure
   * @param notBeforeNanos when the batch may be tried again
   * @param urlName the URL at which it failed
   * @param evidence what is known about whether the messages themselves are at fault
   */
  record Suspicion(
      int failures, boolean isUrlHealthy, long notBeforeNanos, String urlName, Evidence evidence) {}

  /**
   * The evidence that the messages themselves, rather than the collector, are at fault.
   *
   * @param countedFailures how many of the messages' failures count
   * @param acceptancesAtLast how many requests had been accepted when a failure last counted
   * @param acceptancesAtFirst how many requests had been accepted when the first failed request was
   *     sent; it may have contained other messages, too
   * @param recoveriesBefore how often a URL had, at that time, accepted a request that it had
   *     rejected before
   */
  record Evidence(
      int countedFailures, long acceptancesAtLast, long acceptancesAtFirst, long recoveriesBefore) {
    Evidence withFailure(long acceptances) {
      return new Evidence(countedFailures + 1, acceptances, acceptancesAtFirst, recoveriesBefore);
    }
  }

  private final List<Run> runs = new ArrayList<>();
  private int count;
  private @Nullable Suspicion suspicion;

  /** Returns why the batch is sent separately, or null if it is not suspected. */
  @Nullable Suspicion suspicion() {
    return suspicion;
  }

  /**
   * Returns a batch of the same messages with the given suspicion.
   *
   * @param newSuspicion null for a batch that is not suspected
   */
  RequestBatch withSuspicion(@Nullable Suspicion newSuspicion) {
    RequestBatch batch = new RequestBatch();
    runs.forEach(batch::add);
    batch.suspicion = newSuspicion;
    return batch;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Returns the number of messages in the batch. */
  int count() {
    return count;
  }

  List<Run> runs() {
    return runs;
  }

  /** Adds a message at the end. */
  void add(Completion completion, int message) {
    int end = runs.size() - 1;
    if (end >= 0) {
      Run run = runs.get(end);
      if (run.completion == completion && completion.nextMessage(run.last + 1) == message) {
        runs.set(end, new Run(completion, run.first, message, run.count + 1));
        count++;
        return;
      }
    }
    add(new Run(completion, message, message, 1));
  }

  void add(Run run) {
    runs.add(run);
    count += run.count;
  }

  /** Calls the action for each message, in order. */
  void forEach(ObjIntConsumer<Completion> action) {
    runs.forEach(run -> run.forEach(action));
  }

  /**
   * Marks all messages as resent although Splunk may have them.
   *
   * @param reason the value of the events' field {@code resent}
   */
  void markResent(String reason) {
    for (Run run : runs) {
      BitSet messages = new BitSet();
      run.forEach((completion, message) -> messages.set(message));
      run.completion.markResent(messages, reason);
    }
  }

  /** Returns the messages from number {@code from} to {@code to}, exclusive, counted from 0. */
  RequestBatch part(int from, int to) {
    RequestBatch part = new RequestBatch();
    int passed = 0;
    for (Run run : runs) {
      int begin = Math.max(0, from - passed);
      int end = Math.min(run.count, to - passed);
      if (begin < end) {
        part.add(run.part(begin, end));
      }
      passed += run.count;
    }
    return part;
  }

  /** Reports to the delivery requests that all messages of this batch are safe in Splunk. */
  void settle() {
    for (Run run : runs) {
      run.forEach(Completion::onAccepted);
      run.completion.onSettled(run.count);
    }
  }

  /** Whether all delivery requests with messages in this batch were accepted or withdrawn. */
  boolean isDone() {
    return runs.stream().allMatch(run -> run.completion.isDone());
  }
}
