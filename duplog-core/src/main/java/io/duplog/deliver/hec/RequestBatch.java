package io.duplog.deliver.hec;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages that travel in one request, in their order: runs of consecutive messages of completions.
 * One thread's while it is filled, not changed afterwards.
 */
final class RequestBatch {
  /** {@link #resend}: it was received, and not acknowledged in time. */
  static final String ACK_TIMEOUT = "ack-timeout";

  /** It was received, and nothing can be trusted to acknowledge it. */
  static final String UNACKNOWLEDGED = "unacknowledged";

  /** Nobody said what became of it. */
  static final String UNANSWERED = "unanswered";

  /**
   * Some consecutive messages of a completion.
   *
   * @param first its first message
   * @param last its last
   * @param count how many: those between that are not chosen don't count
   */
  record Run(Completion completion, int first, int last, int count) {

    /** The messages numbered from (from 0) to, the latter not included; at least one. */
    Run part(int from, int to) {
      int begin = first;
      for (int i = 0; i < from; i++) {
        begin = completion.next(begin + 1);
      }
      int end = begin;
      for (int i = from + 1; i < to; i++) {
        end = completion.next(end + 1);
      }
      return new Run(completion, begin, end, to - from);
    }

    /** Calls for each message, in order. */
    void forEach(ObjIntConsumer<Completion> action) {
      int message = first;
      for (int i = 0; i < count; i++) {
        action.accept(completion, message);
        message = completion.next(message + 1);
      }
    }
  }

  /**
   * What is held against a batch that failed: it is tried apart, after growing pauses.
   *
   * @param failures how often just these messages failed, which makes the pauses
   * @param answered whether the URL answered a request without events when it failed last
   * @param notBeforeNanos when it may be tried again
   * @param where the URL that failed it
   */
  record Suspicion(
      int failures, boolean answered, long notBeforeNanos, String where, Evidence evidence) {}

  /**
   * What speaks against messages themselves.
   *
   * @param counted how many of their failures count
   * @param acceptedBefore how many requests had been accepted when a failure counted last
   * @param acceptedAtFirst and when the request left that failed first, with others in it perhaps
   * @param recoveredBefore how often a URL had taken what it refused before, by then
   */
  record Evidence(int counted, long acceptedBefore, long acceptedAtFirst, long recoveredBefore) {
    Evidence counted(long accepted) {
      return new Evidence(counted + 1, accepted, acceptedAtFirst, recoveredBefore);
    }
  }

  private final List<Run> runs = new ArrayList<>();
  private int count;
  private @Nullable Suspicion suspicion;

  /** Null where nothing is held against it. */
  @Nullable Suspicion suspicion() {
    return suspicion;
  }

  /** The same messages, under suspicion; null for none. */
  RequestBatch suspected(@Nullable Suspicion why) {
    RequestBatch batch = new RequestBatch();
    runs.forEach(batch::add);
    batch.suspicion = why;
    return batch;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** How many messages. */
  int count() {
    return count;
  }

  List<Run> runs() {
    return runs;
  }

  /** Adds the next message. */
  void add(Completion completion, int message) {
    int end = runs.size() - 1;
    if (end >= 0) {
      Run run = runs.get(end);
      if (run.completion == completion && completion.next(run.last + 1) == message) {
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

  /** Calls for each message, in order. */
  void forEach(ObjIntConsumer<Completion> action) {
    runs.forEach(run -> run.forEach(action));
  }

  /** It is sent again although Splunk may have it: its events will say why. */
  void resend(String reason) {
    for (Run run : runs) {
      BitSet messages = new BitSet();
      run.forEach((completion, message) -> messages.set(message));
      run.completion.resend(messages, reason);
    }
  }

  /** The messages numbered from (from 0) to, the latter not included. */
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

  /** All of it is safe. */
  void settle() {
    for (Run run : runs) {
      run.completion.settled(run.count);
    }
  }

  /** Nobody waits for any of it any more. */
  boolean isOver() {
    return runs.stream().allMatch(run -> run.completion.isOver());
  }
}
