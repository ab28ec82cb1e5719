package io.duplog.deliver.file;

import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.line.LineSink;
import java.io.IOException;

/**
 * The sink that appends the merged stream to a file, one line per message. An accepted message is
 * in the file and, as configured, on the disk. If the disk is full, or the file was rotated or
 * removed, the sink waits and loses nothing.
 */
public final class FileSink {
  private FileSink() {}

  /**
   * Opens the file and starts the thread that writes it.
   *
   * @throws SinkException if the file can't be opened
   */
  public static Sink open(FileSinkConfig config, SinkContext context) throws SinkException {
    try {
      FileOutput output =
          new FileOutput(
              config, () -> DiskFile.open(config.file(), config.mode()), System::nanoTime);
      return new LineSink(output, config.line(), context).start();
    } catch (IOException e) {
      throw cannotOpen(config, e);
    }
  }

  /**
   * Checks whether the file could be opened, without changing anything. A bridge may be writing to
   * the file.
   *
   * @throws SinkException if it could not
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
