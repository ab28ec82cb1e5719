package io.duplog.deliver;

import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.observe.Trouble;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * The bridge as one of its sinks sees it: where the sink shows what is wrong, and whom it tells
 * that it can't continue.
 *
 * @param bridge the bridge's name
 * @param subject the name of the sink's component on the board
 * @param isRequired whether messages wait until this sink accepts them
 * @param failed called once, with a line for an operator, when the sink will never accept anything
 *     again. The process then ends, unless the sink is a {@link BestEffortSink}.
 * @param board the board, which also has the clocks
 */
public record SinkContext(
    String bridge, String subject, boolean isRequired, Consumer<String> failed, Conditions board) {

  /** Returns the context of the only sink of a bridge without a name. */
  public static SinkContext ofOnly(Consumer<String> failed, Conditions board) {
    return new SinkContext("", Sink.SUBJECT, true, failed, board);
  }

  /** Creates a trouble of the sink. */
  public Trouble trouble(Logger log, String name) {
    Level level = isRequired ? Level.DEGRADED : Level.ATTENTION;
    return board.trouble(log, name, subject, level, Runbook.SINK_AWAY);
  }

  /** Returns what it means that the sink can't accept messages now, as a sentence. */
  public String consequence() {
    return isRequired
        ? "Nothing is settled until it can."
        : "Its messages wait in its buffer, and are missing there when the buffer is full. The other"
            + " sinks continue.";
  }
}
