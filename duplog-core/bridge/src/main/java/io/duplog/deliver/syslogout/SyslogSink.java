package io.duplog.deliver.syslogout;

import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.line.LineSink;
import java.io.IOException;

/**
 * The sink that sends the merged stream to another syslog server. An accepted message was written
 * to a connection that stayed open for a moment. The receiver has no way to confirm more.
 */
public final class SyslogSink {
  private SyslogSink() {}

  /** Opens the sink and starts the thread that connects and writes. */
  @SuppressWarnings("resource") // the sink closes its output
  public static Sink open(SyslogSinkConfig config, SinkContext context) {
    SyslogOutput output = new SyslogOutput(config, context.board().nanoClock());
    return new LineSink(output, config.framing(), context).start();
  }

  /**
   * Connects to each receiver, and sends nothing.
   *
   * @throws SinkException if a receiver can't be reached
   */
  @SuppressWarnings("resource") // a check leaves nothing open
  public static void check(SyslogSinkConfig config) throws SinkException {
    try {
      new SyslogOutput(config, System::nanoTime).check();
    } catch (IOException e) {
      throw new SinkException(config.displayName() + ": " + e.getMessage(), e);
    }
  }
}
