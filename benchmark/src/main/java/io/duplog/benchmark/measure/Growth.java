package io.duplog.benchmark.measure;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Records the length of a file a thousand times a second. The arrival times of messages can then be
 * found after the run, and nothing has to be read from the file while the machine is being
 * measured.
 *
 * <p>A thread of its own looks at the file. Any thread may call {@link #size}; {@link #nanosAt} may
 * be called after {@link #close} only.
 */
public final class Growth implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Path file;
  private final LongSupplier clock;
  private final Thread thread = new Thread(this::run, "growth");

  /** Time in nanoseconds at which the file was first seen with a length, by length in bytes. */
  private final NavigableMap<Long, Long> times = new TreeMap<>();

  private volatile long size;
  private volatile boolean closed;

  /**
   * Starts the thread.
   *
   * @param file file that need not exist yet
   */
  public Growth(Path file) {
    this(file, System::nanoTime);
    thread.setDaemon(true);
    thread.start();
  }

  /** Creates an instance without a thread, for tests that call {@link #look} themselves. */
  Growth(Path file, LongSupplier clock) {
    this.file = file;
    this.clock = clock;
  }

  private void run() {
    while (!closed) {
      look();
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
    look();
  }

  void look() {
    long length;
    try {
      length = Files.size(file);
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (length == size) {
      return;
    }
    long now = clock.getAsLong(); // after the look, so that no arrival is earlier than it was
    times.putIfAbsent(length, now);
    size = length;
  }

  Path file() {
    return file;
  }

  /** Returns the length of the file in bytes when it was last looked at. */
  public long size() {
    return size;
  }

  /**
   * Returns when the file was first seen with at least this length.
   *
   * @param length length in bytes
   * @return time by {@link System#nanoTime}
   */
  public long nanosAt(long length) {
    Map.Entry<Long, Long> first = times.ceilingEntry(length);
    return (first == null ? times.lastEntry() : first).getValue();
  }

  @Override
  public void close() {
    closed = true;
    Uninterruptibles.joinUninterruptibly(thread);
  }
}
