package io.duplog.dedup;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What every ledger promises of the verdicts: which copies are kept. */
abstract class VerdictContract extends StoreContract {
  protected static final Duration WINDOW = Duration.ofSeconds(4);

  VerdictContract(Function<Duration, SharedStore> stores) {
    super(stores, WINDOW);
  }

  final Ledger bridge(String name) throws Exception {
    return bridge(name, 2, LASTING);
  }

  final Ledger bridge(String name, int streams, Duration lease) throws Exception {
    return bridge(name, List.of("a", "b", "c", "d").subList(0, streams), lease);
  }

  @Test
  void copies_acrossStreams_areDropped() throws Exception {
    Ledger ledger = bridge("one");

    assertThat(verdicts(ledger, 0, "abc")).isEqualTo("KKK");
    assertThat(verdicts(ledger, 1, "bca")).isEqualTo("ddd");
  }

  @Test
  void copies_withinOneStream_areKept() throws Exception {
    Ledger ledger = bridge("one");

    assertThat(verdicts(ledger, 0, "aaaaa")).isEqualTo("KKKKK");
    assertThat(verdicts(ledger, 1, "aaa")).isEqualTo("ddd");
    assertThat(verdicts(ledger, 1, "aaa")).isEqualTo("ddK");
  }

  @Test
  void batchOfThousands_withRepeatsFarApart_isJudgedMessageByMessage() throws Exception {
    Ledger ledger = bridge("one");
    StringBuilder messages = new StringBuilder();
    for (int i = 0; i < 2_500; i++) {
      messages.append((char) (i % 250));
    }
    String many = messages.toString();

    assertThat(verdicts(ledger, 0, many)).isEqualTo("K".repeat(2_500));
    assertThat(verdicts(ledger, 1, many)).isEqualTo("d".repeat(2_500));
    assertThat(verdicts(ledger, 1, many.substring(0, 2))).isEqualTo("KK");
    assertThat(verdicts(ledger, 0, many.substring(0, 1).repeat(2))).isEqualTo("dK");
  }

  @Test
  void randomCopies_ofManyStreams_areKeptAsOftenAsOnTheFullestStream() throws Exception {
    Random random = new Random(20_130_401);
    for (int streams = 2; streams <= 4; streams++) {
      Ledger ledger = bridge("bridge-of-" + streams, streams, LASTING);
      Map<Character, int[]> published = new HashMap<>();
      Map<Character, Integer> kept = new HashMap<>();
      for (int round = 0; round < 60; round++) {
        int stream = random.nextInt(streams);
        StringBuilder messages = new StringBuilder();
        for (int i = 0; i <= random.nextInt(6); i++) {
          char message = (char) ('a' + random.nextInt(4));
          messages.append(message);
        }
        String verdicts = verdicts(ledger, stream, messages.toString());
        for (int i = 0; i < messages.length(); i++) {
          int streamCount = streams;
          published.computeIfAbsent(messages.charAt(i), c -> new int[streamCount])[stream]++;
          if (verdicts.charAt(i) == 'K') {
            kept.merge(messages.charAt(i), 1, Integer::sum);
          }
        }
      }
      published.forEach(
          (message, counts) ->
              assertThat(kept.get(message)).isEqualTo(Arrays.stream(counts).max().getAsInt()));
      store.forgetAll(); // of its streams, too
    }
  }

  @Test
  void sightings_tellWhenADigestWasFirstSeen() throws Exception {
    Ledger ledger = bridge("one");
    Sightings first = requireNonNull(judge(ledger, claim(0, "aab")).sightings());
    assertThat(first.generation(0)).isEqualTo(first.now());
    assertThat(first.generation(1)).isEqualTo(first.now());

    Sightings later = sightingsOfLaterGeneration(ledger, first.now());
    assertThat(later.now()).isGreaterThan(first.now());
    Sightings second = requireNonNull(judge(ledger, claim(1, "zaabb")).sightings());

    assertThat(second.generation(0)).isEqualTo(second.now());
    assertThat(second.generation(1)).isEqualTo(first.generation(0));
    assertThat(second.generation(2)).isEqualTo(first.generation(0));
    assertThat(second.generation(3)).isEqualTo(first.generation(0));
    assertThat(second.generation(4)).isEqualTo(second.now());
  }

  private Sightings sightingsOfLaterGeneration(Ledger ledger, long generation) {
    return await()
        .until(
            () -> requireNonNull(judge(ledger, claim(0, "~")).sightings()),
            sightings -> sightings.now() > generation);
  }

  @Test
  void entries_ofEveryGeneration_areMatched_andRepeatsWithinThem() throws Exception {
    Ledger ledger = bridge("one");
    long began = requireNonNull(judge(ledger, claim(0, "a")).sightings()).now();
    for (int age = 1; age <= 10; age++) {
      sightingsOfLaterGeneration(ledger, began + age - 1);
      verdicts(ledger, 0, String.valueOf((char) ('a' + age)).repeat(2));
    }

    assertThat(verdicts(ledger, 1, "kjihgfedcbakjihgfedcb")).isEqualTo("d".repeat(21));
    assertThat(verdicts(ledger, 1, "kjihgfedcba")).isEqualTo("K".repeat(11));
  }

  @Test
  void differences_ofHundredsAndThousands_areRemembered() throws Exception {
    Ledger ledger = bridge("three", 3, LASTING);

    verdicts(ledger, 0, "a".repeat(255));
    assertThat(verdicts(ledger, 1, "a".repeat(254))).isEqualTo("d".repeat(254));
    verdicts(ledger, 0, "a".repeat(1745));
    assertThat(verdicts(ledger, 2, "a".repeat(2000))).isEqualTo("d".repeat(2000));
    assertThat(verdicts(ledger, 1, "a".repeat(1746))).isEqualTo("d".repeat(1746));
    assertThat(verdicts(ledger, 1, "a")).isEqualTo("K");
  }

  @Test
  void batch_countedEarlier_hasNoSightings() throws Exception {
    Ledger ledger = bridge("one");
    Claim claim = claim(0, "a");
    Judgement.Counted first = judge(ledger, claim);
    ledger.advance(done(claim, first));

    assertThat(judge(ledger, claim).sightings()).isNull();
  }
}
