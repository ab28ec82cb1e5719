package io.duplog.benchmark.measure;

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
 * What all bridges together have written to their files so far. It follows them as a forwarder
 * does: a file that was renamed or removed is read on as long as something is written to it, beside
 * the new one. One thread at a time.
 */
public final class MergedStream implements AutoCloseable {
  private final Tally tally = new Tally();
  private final LongConsumer arrivals;
  private final List<Sink> sinks;
  private final List<OpenTail> files = new ArrayList<>();

  /** One bridge's file, of which there may be several by now. */
  private static final class Sink {
    private final Path path;
    private @Nullable Object newest;
    private long lines;

    Sink(Path path) {
      this.path = path;
    }
  }

  /**
   * @param files one a bridge; they need not exist yet
   */
  public MergedStream(List<Path> files) {
    this(files, identity -> {});
  }

  /**
   * @param files one a bridge; they need not exist yet
   * @param arrivals told the identity of each line as it is counted
   */
  public MergedStream(List<Path> files, LongConsumer arrivals) {
    this.arrivals = arrivals;
    this.sinks = files.stream().map(Sink::new).toList();
  }

  /** Leaves out what is in the files by now. To be called before anything else. */
  public void skipExisting() throws IOException {
    openNewest();
    for (OpenTail file : files) {
      file.skipExisting();
    }
  }

  /** Counts the whole lines that were added since the last call, and returns how many there are. */
  public long poll() throws IOException {
    openNewest();
    for (OpenTail file : files) {
      file.poll();
    }
    return tally.total();
  }

  /** Counts torn last lines too: nothing will be added any more. */
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
        // not yet there, or not again
      }
    }
  }

  private void count(Sink sink, byte[] bytes, int offset, int length) {
    sink.lines++;
    arrivals.accept(tally.add(bytes, offset, length));
  }

  /** The lines of each bridge, in the order of the files. */
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
