package io.duplog.benchmark.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;

/** What all bridges together have written to their files so far. One thread at a time. */
public final class MergedStream implements AutoCloseable {
  private final Tally tally = new Tally();
  private final List<SinkTail> tails;

  /**
   * @param files one a bridge
   */
  public MergedStream(List<Path> files) {
    this(files, identity -> {});
  }

  /**
   * @param files one a bridge
   * @param arrivals told the identity of each line as it is counted
   */
  public MergedStream(List<Path> files, LongConsumer arrivals) {
    this.tails =
        files.stream()
            .map(
                file ->
                    new SinkTail(
                        file,
                        (bytes, offset, length) ->
                            arrivals.accept(tally.add(bytes, offset, length))))
            .toList();
  }

  /** Leaves out what is in the files by now. To be called before anything else. */
  public void skipExisting() throws IOException {
    for (SinkTail tail : tails) {
      tail.skipExisting();
    }
  }

  /** Counts the whole lines that were added since the last call, and returns how many there are. */
  public long poll() throws IOException {
    for (SinkTail tail : tails) {
      tail.poll();
    }
    return tally.total();
  }

  /** Counts torn last lines too: nothing will be added any more. */
  public void finish() throws IOException {
    for (SinkTail tail : tails) {
      tail.finish();
    }
  }

  /** The lines of each bridge, in the order of the files. */
  public List<Long> linesOfEach() {
    return tails.stream().map(SinkTail::lines).toList();
  }

  public Tally tally() {
    return tally;
  }

  @Override
  public void close() {
    tails.forEach(SinkTail::close);
  }
}
