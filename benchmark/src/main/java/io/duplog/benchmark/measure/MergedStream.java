package io.duplog.benchmark.measure;

import io.duplog.benchmark.load.Messages;
import io.duplog.benchmark.load.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages that all bridges together have written to their files so far. Like a forwarder, it
 * keeps reading a file that was renamed or removed, beside the new one of the same name. Not
 * thread-safe.
 */
public final class MergedStream implements AutoCloseable {
  private final Tally tally = new Tally();
  private final Messages messages;
  private final LongConsumer arrivals;
  private final List<Sink> sinks;
  private final List<OpenTail> files = new ArrayList<>();

  /** The output of one bridge, which consists of several files after a rotation. */
  private static final class Sink {
    private final Path path;
    private @Nullable Object newest;
    private long lines;

    Sink(Path path) {
      this.path = path;
    }
  }

  /**
   * Opens nothing yet.
   *
   * @param files file of each bridge, which need not exist yet
   * @param messages the messages that are expected
   */
  public MergedStream(List<Path> files, Messages messages) {
    this(files, messages, serial -> {});
  }

  /**
   * Opens nothing yet.
   *
   * @param files file of each bridge, which need not exist yet
   * @param messages the messages that are expected
   * @param arrivals gets the number of each counted line; -1 if it is no intact message
   */
  public MergedStream(List<Path> files, Messages messages, LongConsumer arrivals) {
    this.messages = messages;
    this.arrivals = arrivals;
    this.sinks = files.stream().map(Sink::new).toList();
  }

  /** Skips the current content of the files. To be called before any other method. */
  public void skipExisting() throws IOException {
    openNewest();
    for (OpenTail file : files) {
      file.skipExisting();
    }
  }

  /**
   * Counts the complete lines since the last call, and returns the total number of lines so far.
   */
  public long poll() throws IOException {
    openNewest();
    for (OpenTail file : files) {
      file.poll();
    }
    return tally.total();
  }

  /**
   * Counts the rest, including last lines without a line feed. To be called when nothing more will
   * be written.
   */
  public void finish() throws IOException {
    poll();
    for (OpenTail file : files) {
      file.finish();
    }
  }

  private void openNewest() throws IOException {
    for (Sink sink : sinks) {
      try {
        Object key = Files.readAttributes(sink.path, BasicFileAttributes.class).fileKey();
        if (!key.equals(sink.newest)) {
          files.add(new OpenTail(sink.path, (bytes, at, length) -> count(sink, bytes, at, length)));
          sink.newest = key;
        }
      } catch (NoSuchFileException e) {
        // it does not exist yet, or was moved away
      }
    }
  }

  private void count(Sink sink, byte[] bytes, int offset, int length) {
    sink.lines++;
    long serial = messages.serialOf(bytes, offset, length);
    tally.add(serial);
    arrivals.accept(serial);
  }

  /** Returns the number of lines that were counted for each bridge, in the order of the files. */
  public List<Long> linesOfEach() {
    return sinks.stream().map(sink -> sink.lines).toList();
  }

  public Tally tally() {
    return tally;
  }

  @Override
  public void close() {
    files.forEach(OpenTail::close);
  }
}
