package io.duplog.benchmark.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the lines of a file that grows, and follows it as a forwarder does: a file that was
 * renamed or removed is read on as long as something is written to it, beside the new one. One
 * thread at a time.
 */
final class SinkTail implements AutoCloseable {

  /** Counts a line, without its end. */
  @FunctionalInterface
  interface Lines {
    void line(byte[] bytes, int offset, int length);
  }

  private final Path path;
  private final Lines counter;
  private final List<OpenTail> files = new ArrayList<>();
  private @Nullable Object newest;
  private long lines;

  /**
   * @param path the file; it need not exist yet
   */
  SinkTail(Path path, Lines counter) {
    this.path = path;
    this.counter =
        (bytes, offset, length) -> {
          lines++;
          counter.line(bytes, offset, length);
        };
  }

  /** Leaves out what is in the file by now. */
  void skipExisting() throws IOException {
    openNewest();
    for (OpenTail file : files) {
      file.skipExisting();
    }
  }

  /** Counts the whole lines that were added since the last call. */
  void poll() throws IOException {
    openNewest();
    for (OpenTail file : files) {
      file.poll();
    }
  }

  private void openNewest() throws IOException {
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      if (!key.equals(newest)) {
        files.add(new OpenTail(path, counter));
        newest = key;
      }
    } catch (NoSuchFileException e) {
      // not yet there, or not again
    }
  }

  /** Counts what is left behind the last end of a line: a torn line, where there should be none. */
  void finish() throws IOException {
    poll();
    for (OpenTail file : files) {
      file.finish();
    }
  }

  /** How many lines were counted. */
  long lines() {
    return lines;
  }

  @Override
  public void close() {
    files.forEach(OpenTail::close);
  }
}
