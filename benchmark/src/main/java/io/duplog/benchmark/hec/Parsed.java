package io.duplog.benchmark.hec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request's body holds.
 *
 * @param good the events before the first bad one
 * @param fault what is wrong with the event that follows the good ones; null if nothing is
 */
record Parsed(List<HecEvent> good, @Nullable HecCode fault) {

  /** The same as if the event with this number were bad, unless an earlier one is. */
  Parsed refusing(int number, HecCode code) {
    return number < good.size() ? new Parsed(good.subList(0, number), code) : this;
  }
}
