package io.duplog.deliver.hec.answer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a request, by what has to be done about it. */
public sealed interface Answer {

  /** What was said, behind the URL's name: {@code answers 503 (code 9, "Server is busy")}. */
  String cause();

  /** What to look at; empty where it may pass by itself. */
  default String remedy() {
    return "";
  }

  /** Whether nothing of it was taken, for a reason that no event of it gave. */
  default boolean isFailure() {
    return this instanceof Retry || this instanceof Misconfigured;
  }

  /**
   * Splunk has it.
   *
   * @param ackId to ask for the indexer's acknowledgement with; null where none was given
   * @param slowDown it would like to get less
   */
  record Accepted(@Nullable Long ackId, boolean slowDown) implements Answer {
    @Override
    public String cause() {
      return "accepts it";
    }
  }

  /**
   * It may work later.
   *
   * @param after not before this long, if Splunk said so
   */
  record Retry(String cause, @Nullable Duration after) implements Answer {
    /** Zero where Splunk named no time. */
    public long afterNanos() {
      return after == null ? 0 : after.toNanos();
    }
  }

  /** It will not work until somebody changes a configuration, ours or Splunk's. */
  record Misconfigured(String cause, String remedy) implements Answer {}

  /**
   * One event is not to Splunk's liking. Those before it are indexed, it and those behind it are
   * not.
   *
   * @param event counted from 0; -1 where Splunk doesn't say
   */
  record BadEvent(int event, String cause) implements Answer {}

  /**
   * The same, because there is no such index or the token may not write to it.
   *
   * @param event the bad one or, as Splunk 10.4 counts, the one behind it; -1 where Splunk doesn't
   *     say
   */
  record WrongIndex(int event, String cause) implements Answer {}

  /** Nothing of it was taken. */
  record TooLarge(String cause) implements Answer {}
}
