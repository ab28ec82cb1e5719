package io.duplog.deliver.hec;

import io.duplog.deliver.hec.Answer.Misconfigured;
import io.duplog.deliver.hec.Load.Suspicion;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What becomes of a request that fails while others go through: something in its text is not to the
 * liking of a firewall in between, say. It must neither hold up the others nor be tried for ever,
 * and no event may be given up because Splunk was busy or a token wrong. So it is tried apart,
 * after growing pauses, and halved, so that the innocent part arrives; and a single event is given
 * up only when it was refused three times, with others accepted each time in between.
 */
final class Suspects {
  private static final int REFUSALS = 3;

  /** Of what may be a passing trouble of Splunk's. */
  private static final int FAILURES_BEFORE_HALVING = 2;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_DOUBLINGS = 5;

  private final WaitingLine line;

  Suspects(WaitingLine line) {
    this.line = line;
  }

  /**
   * A load failed beside others that did not.
   *
   * @param before what was held against it
   * @param sent its messages
   */
  void failed(Suspicion before, Load sent, Answer answer, long nowNanos) {
    boolean refused = answer instanceof Misconfigured;
    long accepted = line.accepted();
    boolean counts = accepted > before.acceptedBefore();
    boolean halves = refused || (counts && before.failures() >= FAILURES_BEFORE_HALVING);
    if (halves && sent.count() > 1) {
      int half = sent.count() / 2;
      Suspicion why = new Suspicion(1, 0, nowNanos + FIRST_PAUSE_NANOS, accepted);
      line.suspect(
          List.of(sent.part(0, half).suspected(why), sent.part(half, sent.count()).suspected(why)));
      return;
    }
    int refusals = before.refusals() + (refused && counts ? 1 : 0);
    if (refusals >= REFUSALS) {
      String cause = ((Misconfigured) answer).cause();
      sent.forEach(
          (shipment, message) ->
              shipment.refused(message, "Splunk " + cause + " to this event alone"));
      return;
    }
    long pause = FIRST_PAUSE_NANOS << Math.min(before.failures(), MOST_DOUBLINGS);
    line.suspect(
        List.of(
            sent.suspected(
                new Suspicion(before.failures() + 1, refusals, nowNanos + pause, accepted))));
  }

  /** What is held against a load that fails for the first time. */
  Suspicion none() {
    return new Suspicion(0, 0, 0, line.accepted());
  }
}
