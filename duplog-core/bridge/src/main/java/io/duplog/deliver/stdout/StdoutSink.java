package io.duplog.deliver.stdout;

import io.duplog.deliver.Sink;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.line.LineSink;
import io.duplog.observe.Conditions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.function.Consumer;

/**
 * The sink that writes the merged stream to standard output, one line per message. An accepted
 * message is in the kernel's pipe to the reader, which has no way to confirm more.
 */
public final class StdoutSink {
  private StdoutSink() {}

  /**
   * Opens the sink and starts the thread that writes.
   *
   * @param broken called once with a line for the administrator if standard output can no longer be
   *     written. The sink then accepts nothing more, and the process must end.
   * @param board where the sink shows what is wrong with the output
   */
  @SuppressWarnings("resource") // the sink closes its output
  public static Sink open(LineFormat line, Consumer<String> broken, Conditions board) {
    // System.out is not used, because a PrintStream hides failures.
    StdoutOutput output = new StdoutOutput(new FileOutputStream(FileDescriptor.out).getChannel());
    return new LineSink(output, line, broken, board).start();
  }
}
