package io.duplog.collector;

import com.google.common.collect.Iterables;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A fault that the simulated collector shows, such as a wrong answer or a broken connection. */
public sealed interface HecFault {

  /** Returns the first fault of a class, or null if there is none. */
  static <T extends HecFault> @Nullable T first(List<HecFault> faults, Class<T> kind) {
    return Iterables.getFirst(Iterables.filter(faults, kind), null);
  }

  /**
   * Answers without reading the request, and indexes no events.
   *
   * @param code Splunk's code, or null for an answer without a code, like that of a load balancer
   * @param retryAfter value of the header Retry-After, sent in whole seconds, or null for no such
   *     header
   */
  record Answer(int status, @Nullable HecCode code, @Nullable Duration retryAfter)
      implements HecFault {
    public Answer {
      if (status < 200 || status > 599) {
        throw new IllegalArgumentException("status must be 200 to 599, was " + status);
      }
    }
  }

  /** Acknowledges the request only after a time. */
  record AcknowledgeAfter(Duration time) implements HecFault {
    public static final AcknowledgeAfter NEVER = new AcknowledgeAfter(Duration.ofDays(365));
  }

  /** Accepts the request as usual, but answers with a code other than 0, such as 24. */
  record Accept(HecCode code) implements HecFault {}

  /** Refuses the event at one position of the request, and answers with an error code. */
  record RefuseEvent(Place place, HecCode code) implements HecFault {}

  /** Refuses every event that contains a text, and answers with an error code. */
  record RefuseText(String text, HecCode code) implements HecFault {}

  /**
   * Hangs until the faults are cleared, then closes the connection without an answer.
   *
   * @param taken whether the events are indexed nevertheless
   */
  record Hang(boolean taken) implements HecFault {}

  /** Closes the connection before the whole answer is sent. */
  record Cut(Point point) implements HecFault {

    /** The moment at which the connection is closed. */
    public enum Point {
      /** Closes the connection before the request is read, so that no events are indexed. */
      REQUEST,
      /**
       * Closes the connection after the events were indexed, before the first byte of the answer.
       */
      BEFORE_ANSWER,
      /**
       * Closes the connection after the events were indexed, in the middle of the answer's body.
       */
      ANSWER
    }
  }

  /**
   * Applies a fault to each request that contains a poison event, like a firewall that blocks
   * requests with a certain text. The middle event of a request becomes poison, until there are
   * enough, and remains poison. A {@link RefuseEvent} refuses the poison event itself.
   *
   * @param events number of different events that become poison
   * @param texts texts of the poison events so far; empty at first, and guarded by itself
   * @param spared text of an event that never becomes poison
   */
  record Poison(HecFault fault, int events, Set<String> texts, String spared) implements HecFault {

    /**
     * Returns the fault for a request with these events, or null if none of them is or becomes
     * poison.
     */
    public @Nullable HecFault with(List<String> events) {
      int position = poisonPosition(events);
      if (position < 0) {
        return null;
      }
      return fault instanceof RefuseEvent refuse
          ? new RefuseEvent(new Place(position), refuse.code())
          : fault;
    }

    private int poisonPosition(List<String> events) {
      synchronized (texts) {
        for (int i = 0; i < events.size(); i++) {
          if (texts.contains(events.get(i))) {
            return i;
          }
        }
        int middle = events.size() / 2;
        boolean becomesPoison =
            !events.isEmpty()
                && !spared.equals(events.get(middle))
                && texts.size() < this.events
                && texts.add(events.get(middle));
        return becomesPoison ? middle : -1;
      }
    }
  }

  /** Delays the answer to the request. */
  record Slow(Duration by) implements HecFault {}

  /**
   * Position, in a request, of the event that is refused.
   *
   * @param number index of the event, from 0; -1 for the last one, -2 for the middle one
   */
  record Place(int number) {
    /** Returns the index of this position, from 0, in a request with the given number of events. */
    int in(int events) {
      return switch (number) {
        case -1 -> events - 1;
        case -2 -> events / 2;
        default -> number;
      };
    }

    /**
     * Parses a position from a fault's parameter.
     *
     * @param text {@code first}, {@code middle}, {@code last}, or an index from 0
     * @throws IllegalArgumentException if the text is anything else
     */
    public static Place of(String text) {
      return switch (text) {
        case "first" -> new Place(0);
        case "middle" -> new Place(-2);
        case "last" -> new Place(-1);
        default -> new Place(Integer.parseUnsignedInt(text));
      };
    }
  }
}
