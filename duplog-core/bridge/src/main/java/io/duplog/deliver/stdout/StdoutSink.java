package io.duplog.deliver.stdout;

import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.line.LineSink;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

/**
 * The sink that writes the merged stream to standard output, one line per message. An accepted
 * message is in the kernel's pipe to the reader, which has no way to confirm more.
 */
public final class StdoutSink {
  private StdoutSink() {}

  /** Opens the sink and starts the thread that writes. */
  @SuppressWarnings("resource") // the sink closes its output
  public static Sink open(LineFormat line, SinkContext context) {
    // System.out is not used, because a PrintStream hides failures.
    StdoutOutput output = new StdoutOutput(new FileOutputStream(FileDescriptor.out).getChannel());
    return new LineSink(output, line, context).start();
  }
}
