package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.wire.StreamBroker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs short scripts of what bridges do on a shared ledger, and checks the results that the scripts
 * state. Each word is a step. The result of a step follows after {@code =}:
 *
 * <ul>
 *   <li>{@code one=ab} begins a bridge that reads these streams. {@code one=ab:briefly} gives it a
 *       short lease. {@code one=ab:refused} expects a refusal, and {@code one=ab:afresh} another
 *       epoch.
 *   <li>{@code one.a:xy=Kd} judges these messages of stream a: the first is kept, the second
 *       dropped. {@code x9} means nine of them. {@code lapsed} and {@code elsewhere} mean that
 *       there are no verdicts.
 *   <li>{@code one.a:X/xy=Kd} judges them as batch X. {@code Kd*} means that the batch was counted
 *       before with these verdicts, and is delivered.
 *   <li>{@code one.done:X}, {@code one.uncertain:X} and {@code one.revoke:X} are the bridge's
 *       reports about a batch. {@code one.leaves} takes the bridge out of the ledger.
 *   <li>{@code one.lowest=X} is the lowest pending batch, and {@code one.own=X} are the bridge's
 *       own pending batches. {@code one.revoked=X} are the batches whose revocation the bridge soon
 *       reads. {@code -} means no batch.
 *   <li>{@code one.epoch=same} or {@code new} compares the epoch with the last one that any bridge
 *       saw.
 *   <li>{@code one@aA,-bB} says that the bridge now reads stream a from broker A, and has lost
 *       stream b's broker B. {@code two=ab:foreign} begins a bridge that is refused because of its
 *       brokers. {@code two.epoch=foreign} checks that later.
 *   <li>{@code -a} removes a stream, {@code flush} empties the store, and {@code clock:PT-3M} sets
 *       the clock. {@code #1} is the number of digests that the store remembers.
 * </ul>
 */
final class LedgerHistory {
  private static final Duration BRIEF = Duration.ofSeconds(5);
  private static final Pattern ACT =
      Pattern.compile("(\\w+)\\.(\\w+)(?::(?:(\\w)/)?(\\w+))?(?:=(.+))?");
  private static final Pattern REPEATED = Pattern.compile("(.)(\\d+)");

  private final StoreContract contract;
  private final SharedStore store;
  private final Map<String, Ledger> bridges = new HashMap<>();

  /** Streams that each bridge reads, by the bridge's name. */
  private final Map<String, String> streams = new HashMap<>();

  /** Brokers that each bridge reads, by the bridge's name. */
  private final Map<String, List<StreamBroker>> brokers = new HashMap<>();

  private final Map<String, Judgement.Counted> counted = new HashMap<>();
  private Epoch epoch = Epoch.UNKNOWN;

  LedgerHistory(StoreContract contract, SharedStore store) {
    this.contract = contract;
    this.store = store;
  }

  void take(String step) throws Exception {
    Matcher act = ACT.matcher(step);
    if (act.matches()) {
      String bridge = act.group(1);
      String verb = act.group(2);
      String expected = act.group(5) == null ? "" : expanded(act.group(5));
      if (verb.equals("revoked") && !expected.equals("-")) {
        await()
            .untilAsserted(() -> assertThat(told(bridge, verb, "")).as(step).isEqualTo(expected));
      } else if (streams.get(bridge).contains(verb)) {
        assertThat(judged(bridge, verb, act.group(3), expanded(act.group(4))))
            .as(step)
            .isEqualTo(expected);
      } else {
        assertThat(told(bridge, verb, act.group(4))).as(step).isEqualTo(expected);
      }
    } else if (step.contains("@")) {
      String[] words = step.split("@", -1);
      brokers.put(words[0], Stream.of(words[1].split(",")).map(LedgerHistory::broker).toList());
    } else if (step.startsWith("-")) {
      store.remove(step.substring(1));
    } else if (step.startsWith("#")) {
      assertThat(store.remembered()).as(step).isEqualTo(Integer.parseInt(step.substring(1)));
    } else if (step.startsWith("clock:")) {
      store.pass(Duration.parse(step.substring("clock:".length())));
    } else if (step.equals("flush")) {
      store.forgetAll();
    } else {
      String[] words = step.split("[=:]", -1);
      begin(words[0], words[1], words.length > 2 ? words[2] : "");
    }
  }

  private static StreamBroker broker(String text) {
    boolean lost = text.startsWith("-");
    String letters = lost ? text.substring(1) : text;
    StreamBroker broker =
        StreamBroker.of(letters.substring(0, 1), "duplog", "rabbit " + letters.substring(1));
    return lost ? broker.lost() : broker;
  }

  private void begin(String bridge, String reads, String how) throws Exception {
    List<String> names = List.of(reads.split(""));
    Duration lease = how.equals("briefly") ? BRIEF : StoreContract.LASTING;
    bridges.put(bridge, contract.open(store, bridge, names, lease));
    streams.put(bridge, reads);
    if (how.equals("refused")) {
      assertThatThrownBy(() -> told(bridge, "epoch", ""))
          .isInstanceOf(LedgerRefusedException.class)
          .hasMessageStartingWith("the other bridges merge streams ")
          .hasMessageContaining(", but this one merges " + String.join(", ", names) + ". Remove ");
    } else if (how.equals("foreign")) {
      assertThat(told(bridge, "epoch", "")).isEqualTo("foreign");
    } else {
      boolean first = epoch.equals(Epoch.UNKNOWN);
      assertThat(told(bridge, "epoch", ""))
          .isEqualTo(first || how.equals("afresh") ? "new" : "same");
    }
  }

  private String judged(String bridge, String stream, String name, String messages)
      throws Exception {
    Claim claim = contract.claim(streams.get(bridge).indexOf(stream), messages);
    String batch = name == null ? claim.batchId() : name;
    Judgement judgement =
        bridges.get(bridge).judge(new Claim(batch, claim.stream(), claim.digests()));
    if (!(judgement instanceof Judgement.Counted now)) {
      return judgement instanceof Judgement.LeaseLapsed ? "lapsed" : "elsewhere";
    }
    Judgement.Counted before = counted.put(batch, now);
    if (now.delivered()) {
      assertThat(now)
          .isEqualTo(
              new Judgement.Counted(before.epoch(), before.number(), before.kept(), true, null));
    }
    return StoreContract.letters(now.kept(), messages.length()) + (now.delivered() ? "*" : "");
  }

  /** Returns the answer to a bridge that reports this of a batch. */
  private String told(String bridge, String verb, String batch) throws Exception {
    if (verb.equals("leaves")) {
      bridges.get(bridge).leave();
      return "";
    }
    Progress progress =
        switch (verb) {
          case "done" -> StoreContract.done(batch, counted.get(batch));
          case "uncertain" -> StoreContract.done(Progress.Done.ofUncertain(batch));
          case "revoke" -> StoreContract.revoking(batch);
          default -> new Progress(List.of(), List.of(), 0, verb.equals("own"));
        };
    Horizon horizon;
    try {
      horizon =
          bridges
              .get(bridge)
              .advance(
                  new Progress(
                      progress.done(),
                      progress.revoke(),
                      progress.revocationsAfter(),
                      progress.listOwn(),
                      brokers.getOrDefault(bridge, List.of())));
    } catch (LedgerRefusedException e) {
      if (String.valueOf(e.getMessage()).startsWith("stream ")) {
        assertThat(e).hasMessageContaining("its own dedup.redis.prefix");
        return "foreign";
      }
      throw e;
    }
    assertThat(verb.equals("own") || horizon.ownPending().isEmpty()).as("not asked for").isTrue();
    Epoch before = epoch;
    epoch = horizon.epoch();
    return switch (verb) {
      case "lowest" -> batches(Stream.of(horizon.lowestPending()));
      case "own" -> text(horizon.ownPending());
      case "revoked" -> batches(horizon.revocations().stream().map(Revocation::revokedNumber));
      case "epoch" -> epoch.equals(before) ? "same" : "new";
      default -> "";
    };
  }

  /** Returns the batches' names, by their numbers. */
  private String batches(Stream<Long> numbers) {
    List<Long> wanted = numbers.toList();
    return text(
        counted.keySet().stream()
            .filter(batch -> wanted.contains(counted.get(batch).number()))
            .toList());
  }

  private static String text(List<String> batches) {
    return batches.isEmpty() ? "-" : String.join(",", batches);
  }

  private static String expanded(String letters) {
    return REPEATED
        .matcher(letters)
        .replaceAll(found -> found.group(1).repeat(Integer.parseInt(found.group(2))));
  }
}
