package io.duplog.benchmark.hec;

import com.google.common.collect.Iterables;
import io.duplog.deliver.hec.HecSink;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is to go wrong with a request. */
public sealed interface HecFault {

  /** The first of its kind; null where there is none. */
  static <T extends HecFault> @Nullable T first(List<HecFault> faults, Class<T> kind) {
    return Iterables.getFirst(Iterables.filter(faults, kind), null);
  }

  /**
   * Answers without looking at the request, of which nothing is taken.
   *
   * @param code Splunk's code; null for an answer as a load balancer gives it
   * @param retryAfter sent in whole seconds; null for none
   */
  record Answer(int status, @Nullable HecCode code, @Nullable Duration retryAfter)
      implements HecFault {
    public Answer {
      if (status < 200 || status > 599) {
        throw new IllegalArgumentException("status is to be 200 to 599, was " + status);
      }
    }
  }

  /** Takes the request like any other, but says so with this code, 24 for instance. */
  record Accept(HecCode code) implements HecFault {}

  /** Calls one event of the request bad. */
  record RefuseEvent(Place place, HecCode code) implements HecFault {}

  /** Calls every event bad that contains this text. */
  record RefuseText(String text, HecCode code) implements HecFault {}

  /**
   * Never answers.
   *
   * @param taken whether the events are indexed all the same
   */
  record Hang(boolean taken) implements HecFault {}

  /** Closes the connection. */
  record Cut(Point point) implements HecFault {

    /** When. */
    public enum Point {
      /** Before the request is read; nothing of it is taken. */
      REQUEST,
      /** When all is taken, before the answer: the answer is lost. */
      BEFORE_ANSWER,
      /** When all is taken and half of the answer is written. */
      ANSWER
    }
  }

  /**
   * Does this to each request that holds a poison event, as a firewall does that dislikes a text.
   * The middle one of a request becomes poison, of so many requests as they come, and stays it. A
   * {@link RefuseEvent} refuses that one.
   */
  record Poison(HecFault fault, int events, Set<String> texts) implements HecFault {

    /** What goes wrong where one of these events is poison, or becomes it; null where none is. */
    @Nullable HecFault with(List<String> events) {
      int place = place(events);
      if (place < 0) {
        return null;
      }
      return fault instanceof RefuseEvent refuse
          ? new RefuseEvent(new Place(place), refuse.code())
          : fault;
    }

    private int place(List<String> events) {
      synchronized (texts) {
        for (int i = 0; i < events.size(); i++) {
          if (texts.contains(events.get(i))) {
            return i;
          }
        }
        int middle = events.size() / 2;
        boolean chosen =
            !events.isEmpty()
                && !HecSink.CONTROL_EVENT.equals(events.get(middle))
                && texts.size() < this.events
                && texts.add(events.get(middle));
        return chosen ? middle : -1;
      }
    }
  }

  /** Answers so much later. */
  record Slow(Duration by) implements HecFault {}

  /** The place of an event in its request. */
  record Place(int number) {
    public static final Place FIRST = new Place(0);
    public static final Place MIDDLE = new Place(-2);
    public static final Place LAST = new Place(-1);

    /** The number of that event, from 0, in a request of so many. */
    int in(int events) {
      return switch (number) {
        case -1 -> events - 1;
        case -2 -> events / 2;
        default -> number;
      };
    }

    /**
     * @param text {@code first}, {@code middle}, {@code last}, or a number from 0
     * @throws IllegalArgumentException if it is none of them
     */
    static Place of(String text) {
      return switch (text) {
        case "first" -> FIRST;
        case "middle" -> MIDDLE;
        case "last" -> LAST;
        default -> new Place(Integer.parseUnsignedInt(text));
      };
    }
  }
}
