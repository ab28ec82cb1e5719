package io.duplog.deliver.hec;

import java.util.ArrayList;
import java.util.List;

/**
 * What it means for the messages of a request that Splunk did not take all of them.
 *
 * @param headIsSafe whether the events before a bad one are settled. They are indexed, but without
 *     an id to ask for the indexer's acknowledgement with, so where that is wanted they are sent
 *     again: better a duplicate than a loss.
 */
record ResponseHandler(boolean headIsSafe, boolean hasFallbackIndex) {

  /**
   * Settles and refuses what the answer says.
   *
   * @return what has to be sent again, a request each
   */
  List<RequestBatch> of(Answer answer, RequestBatch sent) {
    if (answer instanceof Answer.BadEvent bad) {
      return around(bad.event(), bad.cause(), false, sent);
    }
    if (answer instanceof Answer.WrongIndex wrong) {
      return around(wrong.event(), wrong.cause(), hasFallbackIndex, sent);
    }
    if (answer instanceof Answer.TooLarge tooLarge) {
      return around(-1, tooLarge.cause(), false, sent);
    }
    return List.of(sent);
  }

  private List<RequestBatch> around(
      int event, String reason, boolean canReroute, RequestBatch sent) {
    int count = sent.count();
    if (event < 0 || event >= count) {
      if (count > 1) {
        return List.of(sent.part(0, count / 2), sent.part(count / 2, count));
      }
      event = 0;
    }
    RequestBatch head = sent.part(0, event);
    RequestBatch bad = sent.part(event, event + 1);
    List<RequestBatch> again = new ArrayList<>();
    if (!headIsSafe) {
      again.add(head);
    }
    Completion completion = bad.runs().get(0).completion();
    int message = bad.runs().get(0).first();
    if (canReroute && !completion.isRerouted(message)) {
      completion.reroute(message);
      again.add(bad);
    } else {
      completion.refused(message, "Splunk " + reason);
    }
    if (headIsSafe) {
      head.settle();
    }
    again.add(sent.part(event + 1, count));
    return again;
  }
}
