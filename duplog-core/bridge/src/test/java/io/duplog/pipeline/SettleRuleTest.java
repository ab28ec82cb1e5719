package io.duplog.pipeline;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.rabbitmq.client.AMQP;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Digest;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Epoch;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Revocation;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.observe.Counters;
import io.duplog.receive.FakeChannel;
import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests when a batch may be acknowledged to its broker, and when its dropped copies must be
 * delivered instead.
 */
class SettleRuleTest {
  private static final String MESSAGES = "pqr";
  private static final Epoch EPOCH = new Epoch("memory", 1);
  private static final long NUMBER = 5;

  private static final MessageBatch BATCH = DeliveryRequests.batch(false, MESSAGES.split(""));
  private static final Digests DIGESTS = new Digester(Identity.MESSAGE).digest(BATCH);

  /**
   * The batch has number 5 and the messages p, q and r. The ledger may be unavailable, have lost
   * its memory, or have a later term. If it answers, its column has the lowest number of a pending
   * batch, if there is one. A revocation of {@code 3-9:q} gave up batch 3, which had kept q, at
   * number 9.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing dropped, nobody else pending                        | -   | none         | -           | settle
          nothing dropped, an earlier batch pending                   | -   | 2            | -           | settle
          nothing dropped, the ledger away                            | -   | away         | -           | settle
          dropped, nobody else pending                                | q   | none         | -           | settle
          dropped, an earlier batch pending                           | q   | 4            | -           | wait
          dropped, only itself pending                                | q   | 5            | -           | settle
          dropped, only later batches pending                         | q   | 6            | -           | settle
          dropped, the ledger away                                    | qr  | away         | -           | release qr
          dropped, the ledger's memory lost                           | qr  | other memory | -           | release qr
          dropped, the bridge's lease lapsed                          | qr  | later term   | -           | release qr
          dropped for a batch that was given up                       | qr  | none         | 3-9:q       | release q
          dropped for a batch given up, another one pending           | qr  | 4            | 3-9:q       | release q
          dropped for two batches that were given up                  | pqr | none         | 3-9:q 4-8:r | release qr
          dropped, with revocations that are not read yet             | qr  | unread       | -           | wait
          dropped for a batch given up, others are not read yet       | qr  | unread       | 3-9:q       | release q
          nothing dropped, with revocations that are not read yet     | -   | unread       | -           | settle
          a batch given up that had kept what this one kept           | q   | none         | 3-9:pr      | settle
          a batch given up before this one was judged                 | q   | none         | 3-4:q       | settle
          a batch given up that was judged after this one             | q   | none         | 6-9:q       | settle
          """)
  void decision_followsFromLedgerAndRevocations(
      String what, String dropped, String ledger, String revocations, String decision) {
    List<Revocation> remembered =
        revocations.equals("-")
            ? List.of()
            : Splitter.on(' ').splitToStream(revocations).map(SettleRuleTest::revocation).toList();
    Horizon horizon =
        switch (ledger) {
          case "away" -> null;
          case "other memory" -> horizon(new Epoch("another", EPOCH.term()), Long.MAX_VALUE);
          case "later term" -> horizon(new Epoch(EPOCH.token(), 2), Long.MAX_VALUE);
          case "none" -> horizon(EPOCH, Long.MAX_VALUE);
          case "unread" ->
              new Horizon(EPOCH, Long.MAX_VALUE, Long.MAX_VALUE, List.of(), true, List.of());
          default -> horizon(EPOCH, Long.parseLong(ledger));
        };

    assertThat(words(SettleRule.decide(batch(dropped), horizon, remembered))).isEqualTo(decision);
  }

  @ParameterizedTest
  @CsvSource({"-, settle", "qr, release qr"})
  void observedDrops_areDelivered_whateverTheLedgerSays(String dropped, String decision) {
    assertThat(words(SettleRule.deliverDropped(batch(dropped)))).isEqualTo(decision);
  }

  private static InFlightBatch batch(String dropped) {
    InFlightBatch batch =
        new InFlightBatch(
            null,
            new FakeChannel("a").delivery(new AMQP.BasicProperties(), new byte[0]),
            new Counters(List.of("a")).of("a"),
            BATCH,
            new Claim("batch", 0, DIGESTS),
            true,
            0,
            0);
    BitSet kept = new BitSet();
    kept.set(0, MESSAGES.length());
    dropped.chars().map(MESSAGES::indexOf).filter(i -> i >= 0).forEach(kept::clear);
    batch.counted(null, new Judgement.Counted(EPOCH, NUMBER, kept, false, null), 0);
    return batch;
  }

  private static Revocation revocation(String text) {
    List<String> parts = Splitter.onPattern("[-:]").splitToList(text);
    Set<Digest> digests =
        parts.get(2).chars().mapToObj(m -> DIGESTS.get(MESSAGES.indexOf(m))).collect(toSet());
    return new Revocation(
        Long.parseLong(parts.get(0)), Long.parseLong(parts.get(1)), Digests.of(digests));
  }

  private static Horizon horizon(Epoch epoch, long lowestPending) {
    return new Horizon(epoch, lowestPending, Long.MAX_VALUE, List.of(), false, List.of());
  }

  private static String words(SettleRule.Decision decision) {
    if (decision instanceof SettleRule.Decision.Release release) {
      return release.copies().stream()
          .mapToObj(i -> MESSAGES.substring(i, i + 1))
          .collect(joining("", "release ", ""));
    }
    return decision instanceof SettleRule.Decision.Wait ? "wait" : "settle";
  }
}
