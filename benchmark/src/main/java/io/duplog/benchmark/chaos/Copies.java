package io.duplog.benchmark.chaos;

import io.duplog.benchmark.load.Load;
import io.duplog.benchmark.load.Tally;
import io.duplog.benchmark.measure.MergedStream;
import io.duplog.benchmark.measure.Reconciliation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the files of a second required sink, which bridges or a second collector write, and
 * compares them with the sent messages. Without such files, nothing is missing in them. Not
 * thread-safe.
 */
final class Copies implements AutoCloseable {
  private final List<Path> files;
  private final Load load;
  private final MergedStream merged;

  /**
   * Skips the current content of the files.
   *
   * @param files the second sink's files; empty if there is no second sink
   */
  Copies(List<Path> files, Load load) throws IOException {
    this.files = files;
    this.load = load;
    this.merged = new MergedStream(files, load.messages());
  }

  boolean arePresent() {
    return !files.isEmpty();
  }

  /** Reads the lines since the last call, and returns the number of all lines so far. */
  long read() throws IOException {
    return merged.read();
  }

  /** Compares the messages of a load that has ended with the lines that were read. */
  Reconciliation counts() {
    return Reconciliation.of(load.record(), merged.tally());
  }

  /** Returns the tally of the lines, to which dead letters of the second sink are added. */
  Tally tally() {
    return merged.tally();
  }

  @Override
  public void close() {
    merged.close();
  }
}
