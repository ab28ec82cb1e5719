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
 * The journal that a dead shim has left. Of several shims that see it, one alone can take it. For
 * one thread.
 */
final class Leftover {
  private static final Logger log = LoggerFactory.getLogger(Leftover.class);

  private final ByteBuffer file;
  private final List<BatchJournal.Entry> entries;

  /** Digests of the messages that rsyslog has still to send again. */
  private final Set<ByteBuffer> digests;

  private Leftover(ByteBuffer file, List<BatchJournal.Entry> entries, Set<ByteBuffer> digests) {
    this.file = file;
    this.entries = entries;
    this.digests = digests;
  }

  /**
   * Opens a dead shim's file.
   *
   * @param owner as in {@link BatchJournal}
   * @param digestsOf returns the digests of the messages that are not done
   * @return null if it holds nothing for this shim, or can't be read
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

  /** Whether nobody has taken it. */
  boolean isLeft() {
    return BatchJournal.isLeft(file);
  }

  boolean holds(ByteBuffer digest) {
    return digests.contains(digest);
  }

  /** Returns the batches, in the order of their publication; none if another shim has them. */
  List<BatchJournal.Entry> take() {
    return BatchJournal.take(file) ? entries : List.of();
  }
}
