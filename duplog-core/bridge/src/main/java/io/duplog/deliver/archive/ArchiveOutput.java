package io.duplog.deliver.archive;

import com.github.luben.zstd.ZstdIOException;
import io.duplog.deliver.line.LineOutput;
import io.duplog.deliver.line.LinesLostException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines to the files of an archive.
 *
 * <p>A file begins as a part in the archive's folder. Closing the file forces its end to the disk,
 * then forces its line in the index, and then moves the file to its place. A crash may interrupt
 * these steps anywhere; the next start continues where the last one stopped.
 *
 * @see "docs/decisions/sinks.md#archive"
 */
final class ArchiveOutput implements LineOutput {
  private static final int COPIED_BYTES = 1 << 20;

  /** The environment of the archive. */
  record Environment(
      ArchiveFolder.Creator creator, LongSupplier freeBytes, LongSupplier wallMillis) {}

  private final ArchiveSinkConfig config;
  private final String bridge;
  private final Environment environment;
  private final ArchiveFolder folder;
  private final ArchiveIndex index;

  /** The file that is being written, or null. */
  private @Nullable ArchiveFile file;

  /** Whether the file's last lines may be lost, so that it must end before them. */
  private boolean isCutDue;

  /** Whether the files that an earlier process left are closed. */
  private boolean isRecovered;

  /**
   * Opens the index, and leaves everything else to {@link #prepare}.
   *
   * @param bridge the bridge's name
   * @throws IOException if the index can't be opened, or another sink has it
   */
  ArchiveOutput(ArchiveSinkConfig config, String bridge, Environment environment)
      throws IOException {
    this.config = config;
    this.bridge = bridge;
    this.environment = environment;
    this.folder = new ArchiveFolder(config.root(), ArchiveSinkConfig.wordOf(bridge));
    this.index = ArchiveIndex.open(folder.root(), folder.bridge());
  }

  @Override
  public String name() {
    return "sink archive " + config.folder();
  }

  @Override
  public String remedy() {
    return "Check the disk's free space, and the rights of the folder and of those below it.";
  }

  private Instant now() {
    return Instant.ofEpochMilli(environment.wallMillis().getAsLong());
  }

  @Override
  public void prepare() throws IOException {
    if (!isRecovered) {
      for (ArchivePart part : folder.parts()) {
        recover(part);
      }
      isRecovered = true;
    }
    ArchiveFile current = file;
    if (current != null && (isCutDue || isComplete(current))) {
      end(current);
      file = null;
      isCutDue = false;
    }
    requireSpace(config, environment.freeBytes().getAsLong());
  }

  /**
   * Refuses to write into a file system that is nearly full.
   *
   * @throws IOException if less is free than configured
   */
  static void requireSpace(ArchiveSinkConfig config, long freeBytes) throws IOException {
    if (freeBytes < config.minFree().bytes()) {
      throw new IOException(
          "its file system has %d MiB free, which is less than min-free %s"
              .formatted(freeBytes >> 20, config.minFree()));
    }
  }

  private boolean isComplete(ArchiveFile current) {
    return !current.hasUncommitted()
        && (current.size() >= config.maxSize().bytes()
            || config.isOver(current.part().begun(), now()));
  }

  @Override
  public void append(ByteBuffer lines) throws IOException {
    ArchiveFile current = file;
    if (current == null) {
      ArchivePart part =
          new ArchivePart(folder.bridge(), index.nextNumber(), now(), config.compression());
      folder.requireFree(config.file(part));
      current = create(part, folder.root().resolve(part.fileName()));
      file = current;
    }
    current.append(lines);
  }

  private ArchiveFile create(ArchivePart part, Path path) throws IOException {
    ArchiveFile created = new ArchiveFile(path, part, environment.creator().create(path));
    try {
      ArchiveFolder.force(folder.root());
      return created;
    } catch (IOException | RuntimeException e) {
      created.close();
      Files.deleteIfExists(path);
      throw e;
    }
  }

  @Override
  public void commit() throws IOException {
    ArchiveFile current = file;
    if (current != null && current.hasUncommitted()) {
      try {
        current.commit(now());
      } catch (IOException e) {
        isCutDue = true;
        throw new LinesLostException(e);
      }
    }
  }

  @Override
  public long idleNanos() {
    return file == null
        ? Long.MAX_VALUE
        : TimeUnit.MILLISECONDS.toNanos(Math.max(1, config.millisLeft(now())));
  }

  /** Closes a file after its last committed line. Can be called again after a failure. */
  private void end(ArchiveFile current) throws IOException {
    if (current.messages() == 0) {
      current.close();
      Files.deleteIfExists(current.path());
      return;
    }
    ArchiveEntry last = index.last();
    if (last == null || last.number() < current.part().number()) {
      last = current.entry(bridge, config.file(current.part()), now());
      index.append(last);
    }
    folder.moveIntoPlace(current.path(), last.file());
    current.close();
  }

  /** Closes a file that an earlier process left unfinished. */
  private void recover(ArchivePart part) throws IOException {
    Path torn = folder.root().resolve(part.fileName());
    Path copy = folder.root().resolve(part.copyName());
    ArchiveEntry last = index.last();
    if (last != null && part.number() <= last.number()) {
      // The process died after it had written the index.
      Path closed = Files.exists(copy) ? copy : torn;
      if (part.number() < last.number()) {
        throw new IOException(torn + " is older than the last file of the index: move it away");
      }
      if (!Files.exists(folder.root().resolve(last.file()))) {
        folder.moveIntoPlace(closed, last.file());
      }
      Files.deleteIfExists(torn);
      return;
    }
    Files.deleteIfExists(copy);
    try (ArchiveFile whole = create(part, copy)) {
      copyLines(torn, whole);
      end(whole);
    }
    Files.delete(torn);
  }

  /** Copies the lines that can be read, except for an incomplete one at the end. */
  private static void copyLines(Path torn, ArchiveFile whole) throws IOException {
    Instant last = Files.getLastModifiedTime(torn).toInstant();
    whole.beganAt(whole.part().begun());
    byte[] bytes = new byte[COPIED_BYTES];
    int filled = 0;
    Compression compression = whole.part().compression();
    try (InputStream complete = new TornFile(torn, compression);
        InputStream lines = compression.decompress(complete)) {
      for (int read = 0; read >= 0; read = lines.read(bytes, filled, bytes.length - filled)) {
        filled += read;
        int end = filled;
        while (end > 0 && bytes[end - 1] != '\n') {
          end--;
        }
        if (end > 0) {
          whole.append(ByteBuffer.wrap(bytes, 0, end));
          whole.commit(last);
          System.arraycopy(bytes, end, bytes, 0, filled - end);
          filled -= end;
        } else if (filled == bytes.length) {
          bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
      }
    } catch (EOFException | ZipException | ZstdIOException e) {
      // The end. Bytes after it were never forced to the disk, so their lines were not accepted.
    }
  }

  @Override
  public void close() throws IOException {
    try (index) {
      ArchiveFile current = file;
      if (current != null) {
        file = null;
        end(current);
      }
    }
  }
}
