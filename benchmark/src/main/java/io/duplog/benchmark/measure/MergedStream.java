package io.duplog.benchmark.measure;

import com.google.common.util.concurrent.Uninterruptibles;
import io.duplog.benchmark.load.Messages;
import io.duplog.benchmark.load.Tally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages that all bridges of a lab deliver to their files, and notes when each arrived.
 * Like a forwarder, it keeps reading a file that was renamed or removed, in addition to the new one
 * of the same name.
 *
 * <p>A separate thread records the files' lengths a thousand times a second. So the arrival time of
 * a message is known even if the message is read much later, and no file has to be read while the
 * machine is being measured. Any thread may call {@link #size}. The other methods are not
 * thread-safe.
 */
public final class MergedStream implements AutoCloseable {
  private static final long LOOK_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * Called for each line that is read: first for all lines of one file, then for those of the next.
   */
  @FunctionalInterface
  public interface Arrivals {
    /**
     * Handles a line.
     *
     * @param serial the message's number; -1 if the line is not an intact message
     * @param isFirst whether the message is intact, and was not read before
     * @param nanos when the message was first in its file, by {@link System#nanoTime}
     */
    void arrived(long serial, boolean isFirst, long nanos);
  }

  private final Messages messages;
  private final LongSupplier clock;
  private final Tally tally = new Tally();
  private final List<Sink> sinks;
  private final List<GrowingFile> files = new CopyOnWriteArrayList<>();
  private final Thread lookThread = new Thread(this::run, "merged-stream");
  private Arrivals arrivals = (serial, isFirst, nanos) -> {};
  private long skippedBytes;
  private volatile boolean isClosed;

  /** The output of one bridge, which consists of several files after a rotation. */
  private static final class Sink {
    private final Path path;
    private @Nullable Object newestKey;
    private long lines;

    Sink(Path path) {
      this.path = path;
    }
  }

  /**
   * Starts the thread. Skips the current content of the files.
   *
   * @param files file of each bridge, which need not exist yet
   * @param messages the messages that are expected
   */
  public MergedStream(List<Path> files, Messages messages) throws IOException {
    this(files, messages, System::nanoTime);
    lookThread.setDaemon(true);
    lookThread.start();
  }

  /** Creates an instance without a thread, for tests that call {@link #look} themselves. */
  MergedStream(List<Path> files, Messages messages, LongSupplier clock) throws IOException {
    this.messages = messages;
    this.clock = clock;
    this.sinks = files.stream().map(Sink::new).toList();
    openNewest(true);
    skippedBytes = totalSize();
  }

  private void run() {
    try {
      while (!isClosed) {
        look();
        LockSupport.parkNanos(this, LOOK_INTERVAL_NANOS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Records the length of each file. */
  synchronized void look() throws IOException {
    openNewest(false);
    for (GrowingFile file : files) {
      file.look(clock);
    }
  }

  private void openNewest(boolean skipsExisting) throws IOException {
    for (Sink sink : sinks) {
      try {
        Object key = Files.readAttributes(sink.path, BasicFileAttributes.class).fileKey();
        if (!key.equals(sink.newestKey)) {
          files.add(
              new GrowingFile(
                  sink.path,
                  skipsExisting,
                  (bytes, at, length, nanos) -> count(sink, bytes, at, length, nanos)));
          sink.newestKey = key;
        }
      } catch (NoSuchFileException e) {
        // The file does not exist yet, or was moved away.
      }
    }
  }

  private void count(Sink sink, byte[] bytes, int offset, int length, long nanos) {
    sink.lines++;
    long serial = messages.serialOf(bytes, offset, length);
    boolean isFirst = tally.add(serial);
    arrivals.arrived(serial, isFirst, nanos);
  }

  private long totalSize() {
    return files.stream().mapToLong(GrowingFile::size).sum();
  }

  /** Returns the number of bytes that were written by the last look. */
  public long size() {
    return totalSize() - skippedBytes;
  }

  /** Sets the listener for each line that is read from now on. */
  public void onArrival(Arrivals newArrivals) {
    arrivals = newArrivals;
  }

  /** Reads the complete lines since the last call, and returns the number of all lines so far. */
  public long read() throws IOException {
    look();
    for (GrowingFile file : files) {
      file.read();
    }
    return tally.total();
  }

  /**
   * Reads the remaining lines, including last lines without a line feed. Must be called when
   * writing has ended.
   */
  public void finish() throws IOException {
    read();
    for (GrowingFile file : files) {
      file.finish();
    }
  }

  /** Returns the number of lines that were read from each bridge, in the order of the files. */
  public List<Long> linesOfEach() {
    return sinks.stream().map(sink -> sink.lines).toList();
  }

  /** Returns the tally of all messages that were read so far. Callers may add others. */
  public Tally tally() {
    return tally;
  }

  /** Stops looking, and closes the files. */
  @Override
  public void close() {
    isClosed = true;
    Uninterruptibles.joinUninterruptibly(lookThread);
    files.forEach(GrowingFile::close);
  }
}
