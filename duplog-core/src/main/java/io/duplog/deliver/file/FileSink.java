package io.duplog.deliver.file;

import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.line.LineSink;
import java.io.IOException;

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
   * @throws SinkException where it can't be opened
   */
  public static Sink open(FileSinkConfig config) throws SinkException {
    try {
      FileOutput output =
          new FileOutput(
              config, () -> DiskFile.open(config.file(), config.mode()), System::nanoTime);
      return new LineSink(output, config.line(), line -> {}, System::nanoTime).start();
    } catch (IOException e) {
      throw new SinkException(
          "sink file " + config.path() + " can't be opened: " + e.getMessage(), e);
    }
  }
}
