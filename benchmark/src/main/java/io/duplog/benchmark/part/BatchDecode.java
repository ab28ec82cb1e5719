package io.duplog.benchmark.part;

import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Microbenchmark of how fast the bridge decodes the messages of a batch. */
@State(Scope.Benchmark)
public class BatchDecode {
  /** Length of each message in bytes. */
  @Param({"110", "800"})
  public int bytes;

  private final BatchDecoder decoder = new BatchDecoder(BatchLimits.DEFAULT);
  private EncodedBatch plain;
  private EncodedBatch zstd;

  @Setup
  public void encode() {
    plain = SampleBatch.encode(bytes, false);
    zstd = SampleBatch.encode(bytes, true);
    if (zstd.encoding() == plain.encoding()) {
      throw new IllegalStateException("the batch was not worth compressing");
    }
  }

  @Benchmark
  @OperationsPerInvocation(SampleBatch.MESSAGES)
  public MessageBatch plain() throws MalformedBatchException {
    return decoder.decode(plain.body(), plain.encoding());
  }

  @Benchmark
  @OperationsPerInvocation(SampleBatch.MESSAGES)
  public MessageBatch zstd() throws MalformedBatchException {
    return decoder.decode(zstd.body(), zstd.encoding());
  }
}
