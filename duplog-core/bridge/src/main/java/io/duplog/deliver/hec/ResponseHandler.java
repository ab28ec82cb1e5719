package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides which messages of a request were delivered, must be sent again or are refused, if Splunk
 * did not accept all.
 *
 * @param isHeadSafe whether the events before a bad one are settled. Splunk has indexed them, but
 *     documents no id to poll for their acknowledgement. If acknowledgement is configured, they are
 *     resent, because a duplicate is better than a loss.
 * @param hasFallbackIndex whether an event with a wrong index is resent with another index
 */
record ResponseHandler(boolean isHeadSafe, boolean hasFallbackIndex) {

  /**
   * Settles and refuses messages as the answer requires.
   *
   * @return the batches to resend, each as a request of its own
   */
  List<RequestBatch> handle(Answer answer, RequestBatch sent) {
    if (answer instanceof Answer.BadEvent bad) {
      return splitAround(bad.event(), bad.cause(), false, sent);
    }
    if (answer instanceof Answer.WrongIndex wrong) {
      boolean mayBeNext = wrong.event() > 0 && wrong.event() <= sent.count();
      return mayBeNext && sent.count() > 1
          ? isolatePrevious(wrong.event() - 1, sent)
          : splitAround(wrong.event(), wrong.cause(), hasFallbackIndex, sent);
    }
    if (answer instanceof Answer.TooLarge tooLarge) {
      return sent.count() > 1 ? halves(sent) : splitAround(0, tooLarge.cause(), false, sent);
    }
    return List.of(sent);
  }

  /**
   * Resends one event alone and the events after it as another request, because either it or the
   * next event is the bad one. The events before it are the only ones that are certainly indexed.
   */
  private List<RequestBatch> isolatePrevious(int event, RequestBatch sent) {
    List<RequestBatch> resent = new ArrayList<>();
    RequestBatch first = sent.part(event, event + 1);
    first.markResent(RequestBatch.UNANSWERED);
    resent.add(first);
    resent.add(sent.part(event + 1, sent.count()));
    settleOrAdd(sent.part(0, event), resent);
    return resent;
  }

  private static List<RequestBatch> halves(RequestBatch sent) {
    int count = sent.count();
    return List.of(sent.part(0, count / 2), sent.part(count / 2, count));
  }

  private void settleOrAdd(RequestBatch head, List<RequestBatch> resent) {
    if (isHeadSafe) {
      head.settle();
    } else {
      head.markResent(RequestBatch.UNACKNOWLEDGED);
      resent.add(0, head);
    }
  }

  private List<RequestBatch> splitAround(
      int event, String reason, boolean canReroute, RequestBatch sent) {
    int count = sent.count();
    if (event < 0 || event >= count) {
      if (count > 1) {
        sent.markResent(RequestBatch.UNANSWERED); // the events before the bad one may be indexed
        return halves(sent);
      }
      event = 0;
    }
    RequestBatch bad = sent.part(event, event + 1);
    List<RequestBatch> resent = new ArrayList<>();
    Completion completion = bad.runs().get(0).completion();
    int message = bad.runs().get(0).first();
    if (canReroute && !completion.isRerouted(message)) {
      completion.reroute(message);
      resent.add(bad);
    } else {
      completion.onRefused(message, "Splunk " + reason);
    }
    settleOrAdd(sent.part(0, event), resent);
    resent.add(sent.part(event + 1, count));
    return resent;
  }
}
