package io.duplog.ingest.batch;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link BatchJournal} that a dead shim left behind, from which its successor takes the
 * batches. If several shims find it, only one of them can take its batches. Not thread-safe.
 */
final class Leftover {
  private static final Logger log = LoggerFactory.getLogger(Leftover.class);

  private final ByteBuffer file;
  private final List<BatchJournal.Entry> entries;

  /** Digests of the messages that rsyslog will still send again. */
  private final Set<ByteBuffer> expectedDigests;

  private Leftover(
      ByteBuffer file, List<BatchJournal.Entry> entries, Set<ByteBuffer> expectedDigests) {
    this.file = file;
    this.entries = entries;
    this.expectedDigests = expectedDigests;
  }

  /**
   * Opens a dead shim's file.
   *
   * @param owner number that identifies the rsyslog that this shim serves
   * @param digestsOf returns the digests of the messages that rsyslog will still send again
   * @return the journal, or null if it can't be read or contains no batches for this shim
   */
  static @Nullable Leftover open(
      Path path,
      String stream,
      long owner,
      Function<List<BatchJournal.Entry>, Set<ByteBuffer>> digestsOf) {
    try (FileChannel channel = FileChannel.open(path, READ, WRITE, NOFOLLOW_LINKS)) {
      if (channel.size() <= BatchJournal.HEADER_BYTES) {
        return null;
      }
      ByteBuffer file = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
      List<BatchJournal.Entry> entries = BatchJournal.read(file, stream, owner);
      return entries.isEmpty() ? null : new Leftover(file, entries, digestsOf.apply(entries));
    } catch (IOException e) {
      log.debug("{} can't be read", path, e);
      return null;
    }
  }

  /** Whether no shim has taken the batches yet. */
  boolean isAvailable() {
    return BatchJournal.hasEntries(file);
  }

  boolean contains(ByteBuffer digest) {
    return expectedDigests.contains(digest);
  }

  /**
   * Takes and returns the batches in the order of their publication. Returns no batches if another
   * shim has taken them.
   */
  List<BatchJournal.Entry> take() {
    return BatchJournal.empty(file) ? entries : List.of();
  }
}
