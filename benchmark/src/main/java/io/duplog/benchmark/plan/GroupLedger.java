package io.duplog.benchmark.plan;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.collect.Lists;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.memory.MemoryLedger;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MalformedBatchException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** Brings copies of numbered groups of equal messages to the ledger that a bridge uses. */
final class GroupLedger {
  private static final int MESSAGES_A_BATCH = 1000;

  /** Longer than what any clock here goes on between two calls. */
  private static final Duration LEASE = Demand.LONGEST.multipliedBy(3);

  private final MemoryLedger ledger;
  private final Digester digester = new Digester(Identity.SENDER_AND_MESSAGE);
  private final BatchDecoder decoder = new BatchDecoder(BatchLimits.DEFAULT);
  private final int[] kept;
  private long batches;

  /**
   * @param groups how many there are; each stays in memory until its digest is level or expires
   * @param nanoClock that the window runs by
   */
  GroupLedger(int groups, int streams, Duration window, LongSupplier nanoClock) {
    this.kept = new int[groups];
    this.ledger =
        MemoryLedger.ofOneBridge(
            "plan", names(streams), window, LEASE, Math.max(1, groups), nanoClock);
    report(List.of());
  }

  /** One stream brings a copy for each number of a group. */
  void judge(int stream, List<Integer> groups) {
    for (List<Integer> batch : Lists.partition(groups, MESSAGES_A_BATCH)) {
      String id = "batch-" + batches;
      batches++;
      Judgement judgement = ledger.judge(new Claim(id, stream, digests(batch)));
      if (!(judgement instanceof Judgement.Counted counted)) {
        throw new IllegalStateException(id + " was not judged: " + judgement);
      }
      counted.kept().stream().forEach(i -> kept[batch.get(i)]++);
      report(List.of(new Progress.Done(id, counted.epoch(), counted.number())));
    }
  }

  /** How many copies of a group were kept. */
  int kept(int group) {
    return kept[group];
  }

  /** Also renews the lease. */
  private void report(List<Progress.Done> done) {
    try {
      ledger.advance(new Progress(done, List.of(), 0, false));
    } catch (LedgerUnavailableException e) {
      throw new IllegalStateException(e); // it is in this process, and knows its streams
    }
  }

  private Digests digests(List<Integer> groups) {
    try (BatchEncoder encoder = new BatchEncoder(true, false)) {
      for (int group : groups) {
        byte[] message = ("10.1.2.3 <134>group " + group).getBytes(US_ASCII);
        encoder.add(message, 0, message.length);
      }
      EncodedBatch encoded = encoder.encode();
      return digester.digest(decoder.decode(encoded.body(), encoded.encoding()));
    } catch (MalformedBatchException e) {
      throw new IllegalStateException(e); // we have just encoded it
    }
  }

  private static List<String> names(int streams) {
    return IntStream.range(0, streams).mapToObj(Integer::toString).toList();
  }
}
