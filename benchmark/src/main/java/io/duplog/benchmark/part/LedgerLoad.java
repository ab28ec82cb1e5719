package io.duplog.benchmark.part;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.redis.RedisConfig;
import io.duplog.dedup.redis.RedisLedger;
import io.duplog.dedup.redis.RedisStore;
import io.duplog.deliver.DeliveryRequests;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Sends batches to the deduplication ledger as a bridge does, to measure the ledger without brokers
 * and sink. Not thread-safe.
 */
public final class LedgerLoad implements AutoCloseable {
  /** Number of messages in a batch. */
  public static final int BATCH = SampleBatch.MESSAGES;

  /** Lease that does not expire during a run, even on a slow machine. */
  private static final Duration LEASE = Duration.ofHours(1);

  private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(30);

  /** Number of batches that are reported as delivered in one call, as in a bridge. */
  private static final int BATCHES_PER_REPORT = 20;

  private final Ledger ledger;
  private final Digester digester = new Digester(Identity.SENDER_AND_MESSAGE);
  private final List<Progress.Done> deliveredBatches = new ArrayList<>();

  /**
   * Creates a load on a ledger, and reports to the ledger for the first time.
   *
   * @param ledger ledger of two streams; {@link #close} closes it
   * @throws IOException if the ledger is unavailable
   */
  public LedgerLoad(Ledger ledger) throws IOException {
    this.ledger = ledger;
    report();
  }

  /**
   * Connects to a Redis on this machine.
   *
   * @param port port of that Redis
   * @param window how long a digest is remembered
   * @throws IOException if Redis is unavailable
   */
  public static LedgerLoad onRedis(int port, Duration window) throws IOException {
    return new LedgerLoad(
        RedisLedger.ofParts(
                new RedisStore(
                    new RedisConfig(
                        "127.0.0.1",
                        port,
                        null,
                        null,
                        0,
                        "duplog",
                        REDIS_TIMEOUT,
                        null,
                        null,
                        null),
                    1,
                    2),
                "load",
                List.of("syslog-a", "syslog-b"),
                window,
                Identity.SENDER_AND_MESSAGE,
                LEASE)
            .get(0));
  }

  /**
   * Requests the ledger's verdicts on one batch.
   *
   * @param number number of the batch in its stream. Batches with the same number have the same
   *     messages on each stream. Batches with different numbers have different messages.
   * @return number of kept copies
   * @throws IOException if the ledger gives no verdicts
   */
  public int judge(int stream, long number) throws IOException {
    return judge(stream, number, newDigests(number));
  }

  /**
   * Requests the ledger's verdicts on a batch with these digests. Returns the number of copies that
   * the ledger keeps.
   */
  public int judge(int stream, long number, Digests digests) throws IOException {
    String id = stream + "-" + number;
    try {
      Judgement judgement = ledger.judge(new Claim(id, stream, digests));
      if (!(judgement instanceof Judgement.Counted counted)) {
        throw new IOException("batch " + id + " was not judged: " + judgement);
      }
      if (!counted.kept().isEmpty()) {
        deliveredBatches.add(new Progress.Done(id, counted.epoch(), counted.number()));
      }
      if (deliveredBatches.size() >= BATCHES_PER_REPORT) {
        report();
      }
      return counted.kept().cardinality();
    } catch (LedgerUnavailableException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Reports to the ledger that the copies kept since the last report have been delivered. */
  public void report() throws IOException {
    try {
      ledger.advance(new Progress(List.copyOf(deliveredBatches), List.of(), 0, false));
      deliveredBatches.clear();
    } catch (LedgerUnavailableException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private Digests newDigests(long number) {
    return digester.digest(
        DeliveryRequests.batch(
            true,
            LongStream.range(number * BATCH, (number + 1) * BATCH)
                .mapToObj(i -> "10.1.2.3 <134>message " + i)
                .toArray(String[]::new)));
  }

  @Override
  public void close() {
    ledger.close();
  }
}
