package io.duplog.collector;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events that a simulated collector read from a request's body, and the first error.
 *
 * @param good the events before the first bad one
 * @param fault the error of the event after the good ones, or null if all events are good
 */
record Parsed(List<HecEvent> good, @Nullable HecCode fault) {

  /**
   * Returns the content as if the event with this index were bad. Returns it unchanged if an
   * earlier event is bad.
   */
  Parsed refusing(int number, HecCode code) {
    return number < good.size() ? new Parsed(good.subList(0, number), code) : this;
  }
}
