package io.duplog.benchmark.part;

import io.duplog.dedup.Digester;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Identity;
import io.duplog.wire.MessageBatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Microbenchmark of how fast the digests by which messages are deduplicated are computed. */
@State(Scope.Benchmark)
public class MessageDigests {
  /** Length of each message in bytes. */
  @Param({"110", "800"})
  public int bytes;

  private final Digester digester = new Digester(Identity.SENDER_AND_MESSAGE);
  private MessageBatch batch;

  @Setup
  public void decode() {
    batch = SampleBatch.decode(bytes);
  }

  @Benchmark
  @OperationsPerInvocation(SampleBatch.MESSAGES)
  public Digests sha256() {
    return digester.digest(batch);
  }
}
