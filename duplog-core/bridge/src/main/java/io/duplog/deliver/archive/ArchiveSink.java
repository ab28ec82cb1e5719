package io.duplog.deliver.archive;

import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.line.LineSink;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;

/**
 * The sink that keeps the merged stream in compressed files. An accepted message is on the disk,
 * and can be read even if the file is never closed.
 */
public final class ArchiveSink {
  private ArchiveSink() {}

  /**
   * Opens the archive and starts the thread that writes it.
   *
   * @throws SinkException if the archive can't be opened
   */
  public static Sink open(ArchiveSinkConfig config, SinkContext context) throws SinkException {
    try {
      requireFolder(config);
      ArchiveOutput output =
          new ArchiveOutput(
              config,
              context.bridge(),
              new ArchiveOutput.Environment(
                  ArchiveFolder.Creator::onDisk,
                  config.root().toFile()::getUsableSpace,
                  context.board().wallMillis()));
      return new LineSink(output, config.line(), context).start();
    } catch (IOException e) {
      throw cannotOpen(config, e);
    }
  }

  /**
   * Checks whether files can be written to the archive's folder, and enough space is free. Leaves
   * nothing behind. A bridge may be writing to the archive.
   *
   * @throws SinkException if they can't
   */
  public static void check(ArchiveSinkConfig config) throws SinkException {
    try {
      requireFolder(config);
      Path trial = config.root().resolve(".duplog-check-" + UUID.randomUUID());
      try (FileChannel created =
          FileChannel.open(
              trial,
              Set.of(
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.DELETE_ON_CLOSE),
              ArchiveFolder.FILE_RIGHTS)) {
        created.force(true);
      }
      ArchiveOutput.requireSpace(config, config.root().toFile().getUsableSpace());
    } catch (IOException e) {
      throw cannotOpen(config, e);
    }
  }

  private static void requireFolder(ArchiveSinkConfig config) throws IOException {
    if (!Files.isDirectory(config.root())) {
      throw new IOException("there is no such folder; create it, or mount its disk");
    }
  }

  private static SinkException cannotOpen(ArchiveSinkConfig config, IOException e) {
    String cause = e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
    return new SinkException("sink archive " + config.folder() + " can't be opened: " + cause, e);
  }
}
