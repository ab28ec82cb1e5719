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
 * Notes a thousand times a second how long a file is. So what is found in it later can be told its
 * time, and nothing need be read from it while the machine is being measured.
 *
 * <p>A thread of its own looks; any may ask for {@link #size}; the rest is for after {@link
 * #close}.
 */
public final class Growth implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Path file;
  private final LongSupplier clock;
  private final Thread thread = new Thread(this::run, "growth");

  /** By length: when it was seen first. */
  private final NavigableMap<Long, Long> times = new TreeMap<>();

  private volatile long size;
  private volatile boolean closed;

  /**
   * Begins to look.
   *
   * @param file need not exist yet
   */
  public Growth(Path file) {
    this(file, System::nanoTime);
    thread.setDaemon(true);
    thread.start();
  }

  /** Without a thread that looks. */
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
    long now = clock.getAsLong(); // after the look: nothing arrives before it was sent
    times.putIfAbsent(length, now);
    size = length;
  }

  Path file() {
    return file;
  }

  /** Bytes in the file when it was last looked at. */
  public long size() {
    return size;
  }

  /**
   * When the file was first seen to be at least so long.
   *
   * @param length in bytes
   * @return by {@link System#nanoTime}
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
