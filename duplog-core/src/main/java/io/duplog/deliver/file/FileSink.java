package io.duplog.deliver.file;

import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.line.LineSink;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Appends the merged stream to a file, one line a message. What it accepts is in the file, and, as
 * far as the configuration asks for it, on the disk. A full disk, a rotated and a removed file are
 * waited for and lose nothing.
 */
public final class FileSink {
  private FileSink() {}

  /**
   * Opens the file and starts the thread that writes it.
   *
   * @param broken told, once, a line for the administrator when the thread has met a defect and
   *     ended; nothing is accepted from then on, and the process has to end
   * @throws SinkException where it can't be opened
   */
  public static Sink open(FileSinkConfig config, Consumer<String> broken) throws SinkException {
    try {
      FileOutput output =
          new FileOutput(
              config, () -> DiskFile.open(config.file(), config.mode()), System::nanoTime);
      return new LineSink(output, config.line(), broken, System::nanoTime).start();
    } catch (IOException e) {
      throw cannotOpen(config, e);
    }
  }

  /**
   * Tries whether the file could be opened, beside a bridge that writes to it or where none does,
   * and leaves everything as it was.
   *
   * @throws SinkException where it could not
   */
  public static void check(FileSinkConfig config) throws SinkException {
    try {
      DiskFile.check(config.file(), config.mode());
    } catch (IOException e) {
      throw cannotOpen(config, e);
    }
  }

  private static SinkException cannotOpen(FileSinkConfig config, IOException e) {
    return new SinkException(
        "sink file " + config.path() + " can't be opened: " + e.getMessage(), e);
  }
}
