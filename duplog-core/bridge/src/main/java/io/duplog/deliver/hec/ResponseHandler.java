package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides which messages of a request are settled, refused or sent again if Splunk did not take all
 * of them.
 *
 * @param headIsSafe whether the events before a bad one are settled. Splunk has indexed them, but
 *     documents no id to ask for their acknowledgement. If acknowledgement is configured, they are
 *     sent again, because a duplicate is better than a loss.
 * @param hasFallbackIndex whether an event with a wrong index is sent again with another index
 */
record ResponseHandler(boolean headIsSafe, boolean hasFallbackIndex) {

  /**
   * Settles and refuses messages as the answer asks for.
   *
   * @return what has to be sent again, each batch as a request of its own
   */
  List<RequestBatch> of(Answer answer, RequestBatch sent) {
    if (answer instanceof Answer.BadEvent bad) {
      return around(bad.event(), bad.cause(), false, sent);
    }
    if (answer instanceof Answer.WrongIndex wrong) {
      boolean behindAnother = wrong.event() > 0 && wrong.event() <= sent.count();
      return behindAnother && sent.count() > 1
          ? apart(wrong.event() - 1, sent)
          : around(wrong.event(), wrong.cause(), hasFallbackIndex, sent);
    }
    if (answer instanceof Answer.TooLarge tooLarge) {
      return sent.count() > 1 ? halves(sent) : around(0, tooLarge.cause(), false, sent);
    }
    return List.of(sent);
  }

  /**
   * Sends one event alone and the events after it as another request, because either it or the next
   * event is the bad one. Only the events before it are surely indexed.
   */
  private List<RequestBatch> apart(int event, RequestBatch sent) {
    List<RequestBatch> again = new ArrayList<>();
    RequestBatch first = sent.part(event, event + 1);
    first.resend(RequestBatch.UNANSWERED);
    again.add(first);
    again.add(sent.part(event + 1, sent.count()));
    settleOrAdd(sent.part(0, event), again);
    return again;
  }

  private static List<RequestBatch> halves(RequestBatch sent) {
    int count = sent.count();
    return List.of(sent.part(0, count / 2), sent.part(count / 2, count));
  }

  private void settleOrAdd(RequestBatch head, List<RequestBatch> again) {
    if (headIsSafe) {
      head.settle();
    } else {
      head.resend(RequestBatch.UNACKNOWLEDGED);
      again.add(0, head);
    }
  }

  private List<RequestBatch> around(
      int event, String reason, boolean canReroute, RequestBatch sent) {
    int count = sent.count();
    if (event < 0 || event >= count) {
      if (count > 1) {
        sent.resend(RequestBatch.UNANSWERED); // the events before the bad one may be indexed
        return halves(sent);
      }
      event = 0;
    }
    RequestBatch bad = sent.part(event, event + 1);
    List<RequestBatch> again = new ArrayList<>();
    Completion completion = bad.runs().get(0).completion();
    int message = bad.runs().get(0).first();
    if (canReroute && !completion.isRerouted(message)) {
      completion.reroute(message);
      again.add(bad);
    } else {
      completion.refused(message, "Splunk " + reason);
    }
    settleOrAdd(sent.part(0, event), again);
    again.add(sent.part(event + 1, count));
    return again;
  }
}
