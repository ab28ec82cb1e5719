package io.duplog.benchmark.part;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.Key;
import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.omprog.Conversation;
import io.duplog.ingest.omprog.OmprogSettings;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Microbenchmark of how fast the shim gathers messages from rsyslog's pipe into batches. There is
 * no broker, and no compression, because {@link BatchDecode} measures the codec. The pipe is in
 * memory, so the kernel's part is not measured.
 */
@State(Scope.Benchmark)
public class OmprogReading {
  /**
   * Number of transactions in a conversation, which is large so that start and buffers hardly
   * count.
   */
  private static final int TRANSACTIONS = 100;

  /** Number of messages that the shim reads in one invocation of the benchmark. */
  static final int MESSAGES = TRANSACTIONS * SampleBatch.MESSAGES;

  /** Sections of the shim's configuration file that the benchmark needs. */
  record Settings(
      @Key(doc = "As in the shim's file.") OmprogSettings omprog,
      @Key(doc = "As in the shim's file.") BatchSettings batch) {}

  /** Length of each message in bytes. */
  @Param({"110", "800"})
  public int bytes;

  /** Value of the configuration key {@code omprog.mode}. */
  @Param({"confirm", "lines"})
  public String mode = "";

  /**
   * Storage of the batches for a successor in mode confirm: {@code file}, or {@code memory} for
   * none.
   */
  @Param("file")
  public String mark = "";

  private TransactionMark transactionMark = TransactionMark.none();
  private Settings settings;
  private byte[] transaction;

  @Setup
  public void prepare() throws ConfigException {
    settings =
        ConfigLoader.of(Map.of(), "host")
            .parse(
                "part", "omprog: {mode: " + mode + "}\nbatch: {compress: false}\n", Settings.class);
    String format = mode.equals("confirm") ? "BEGIN TRANSACTION\n%s\nCOMMIT TRANSACTION\n" : "%s\n";
    String messages = String.join("\n", SampleBatch.messages(bytes));
    transaction = format.formatted(messages).getBytes(US_ASCII);
    transactionMark =
        mark.equals("file") && mode.equals("confirm")
            ? TransactionMark.ofThisProcess("syslog-a", settings.batch())
            : TransactionMark.none();
  }

  /** Removes the file. */
  @TearDown
  public void remove() {
    transactionMark.close();
  }

  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public long read() throws InterruptedException {
    CountingPublisher publisher = new CountingPublisher();
    List<InputStream> transactions =
        Stream.<InputStream>generate(() -> new ByteArrayInputStream(transaction))
            .limit(TRANSACTIONS)
            .toList();
    new Conversation(
            settings.omprog(),
            settings.batch(),
            "syslog-a",
            new SequenceInputStream(Collections.enumeration(transactions)),
            OutputStream.nullOutputStream(),
            publisher,
            transactionMark,
            Time.SYSTEM)
        .run();
    if (publisher.messages() != MESSAGES) {
      throw new IllegalStateException("read " + publisher.messages() + " of " + MESSAGES);
    }
    return publisher.messages();
  }
}
