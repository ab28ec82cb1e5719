package io.duplog.deliver.stdout;

import io.duplog.deliver.Sink;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.line.LineSink;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.function.Consumer;

/**
 * Writes the merged stream to standard output, one line a message. What it accepts is with the
 * kernel: in the pipe to the reader, who has no way to confirm more.
 */
public final class StdoutSink {
  private StdoutSink() {}

  /**
   * Starts the thread that writes.
   *
   * @param broken told, once, a line for the administrator when standard output can't be written
   *     any more; nothing is accepted from then on, and the process has to end
   */
  @SuppressWarnings("resource") // the sink closes its output
  public static Sink open(LineFormat line, Consumer<String> broken) {
    // Not System.out: a PrintStream hides what goes wrong.
    StdoutOutput output = new StdoutOutput(new FileOutputStream(FileDescriptor.out).getChannel());
    return new LineSink(output, line, broken, System::nanoTime).start();
  }
}
