package io.duplog.explore;

import static java.util.Comparator.comparing;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.memory.ExplorableStore;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.WaitingSink;
import io.duplog.observe.Counters;
import io.duplog.pipeline.InFlightBatch;
import io.duplog.pipeline.Observer;
import io.duplog.pipeline.PipelineSettings;
import io.duplog.pipeline.SteppedPipeline;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a bridge whose threads are replaced by steps, so that the explorer can try every order of
 * them.
 */
final class ExploredBridge {
  private static final Counters COUNTERS = new Counters(FakeBroker.STREAMS);
  private static final Observer NOBODY = new Observer() {};

  final String name;
  final FaultyLedger ledger;
  final SteppedPipeline pipeline;

  /**
   * Store at which the bridge judges; it differs from {@link #advancesAt} while the bridge follows
   * a failover.
   */
  ExplorableStore judgesAt;

  /** Store at which the bridge settles. */
  ExplorableStore advancesAt;

  /** The bridge's own memory as a fallback; null if it has none. */
  private final @Nullable ExplorableStore memory;

  /** The sinks; some settings have several. */
  final List<WaitingSink> sinks;

  private final Sink sink;

  private final boolean parted;
  private final boolean misnaming;
  private final String batchIds;
  private long nanos;

  /**
   * @param place index of the bridge, from 0
   */
  ExploredBridge(String name, int place, World world) {
    this.name = name;
    this.misnaming = world.setting == Setting.MISNAMED && place == 1;
    this.batchIds = world.setting == Setting.SHARED_PREFIX && place == 1 ? "Y" : "X";
    this.sinks =
        IntStream.range(0, world.sinksOfABridge()).mapToObj(i -> new WaitingSink()).toList();
    this.sink = sink(world.setting);
    this.judgesAt = world.store();
    this.advancesAt = judgesAt;
    this.memory = world.newMemory();
    this.ledger =
        new FaultyLedger(
            judgesAt.ledgerOf(name),
            () -> world.isReachable(name),
            claim -> world.delay(this, claim));
    this.parted = world.setting == Setting.PARTS;
    List<Ledger> parts = new ArrayList<>(List.of(ledger));
    List<Ledger> fallbacks = new ArrayList<>();
    if (memory != null) {
      fallbacks.add(memory.ledgerOf("self"));
    } else if (world.spare != null) {
      (parted ? parts : fallbacks).add(world.spare.ledgerOf(name));
    }
    this.pipeline =
        new SteppedPipeline(
            new PipelineSettings(
                Duration.ZERO,
                Duration.ofHours(1),
                Duration.ZERO,
                world.setting == Setting.OBSERVING,
                0),
            parts,
            fallbacks,
            () -> world.brokersOf(place).map(FakeBroker::identity).toList(),
            world.setting == Setting.FILTERING
                ? new FilteringSink(sink, messages -> world.filter(place, messages))
                : sink,
            COUNTERS,
            NOBODY,
            () -> nanos);
    pipeline.settle();
  }

  private Sink sink(Setting setting) {
    if (sinks.size() == 1) {
      return sinks.get(0);
    }
    if (setting == Setting.FIRST_SINK_DECIDES) {
      return new FirstDecides(sinks);
    }
    return new Sinks(
        sinks.stream()
            .map(
                each ->
                    new Sinks.Member("" + sinks.indexOf(each), "file", "sink", true, each, null))
            .toList());
  }

  /** Takes the next delivery of a stream, and judges it. */
  void receive(FakeBroker broker, History.Batch batch) {
    FakeBroker.Channel channel = broker.channel(name);
    FakeBroker.Publication publication = broker.deliverTo(name);
    Claim claim =
        new Claim(
            batchIds + publication.batch(),
            batch.stream(),
            ExplorableStore.digestsOf(batch.messages()));
    pipeline.judge(
        channel, publication.tag(), batch.encoded(), claim, !misnaming, parted ? batch.part() : 0);
  }

  // Indexes count in the order of texts, so that they mean the same in every world of a state.

  private List<InFlightBatch> inOrder() {
    List<InFlightBatch> parked = pipeline.postponed();
    parked.sort(comparing(Object::toString));
    return parked;
  }

  List<DeliveryRequest> atSink(int number) {
    WaitingSink each = sinks.get(number);
    each.waiting.sort(comparing(ExploredBridge::text));
    return each.waiting;
  }

  private static String text(DeliveryRequest request) {
    return request.callback() + " " + request.chosen();
  }

  void judgeAgain(int index) {
    pipeline.judgeAgain(inOrder().get(index));
  }

  String deliveryAtSink(int number, int index) {
    return text(atSink(number).get(index));
  }

  /** Makes a sink accept a request; returns the accepted messages. */
  String accept(int number, int index) {
    DeliveryRequest accepted = atSink(number).remove(index);
    accepted.callback().accepted();
    return letters(accepted.batch(), accepted.chosen());
  }

  /** Returns these messages of a batch; each message is one letter. */
  static String letters(MessageBatch batch, BitSet messages) {
    StringBuilder letters = new StringBuilder();
    messages.stream().forEach(i -> letters.append((char) batch.data()[batch.start(i)]));
    return letters.toString();
  }

  /**
   * Makes the sink give back what it holds, after more than the hold limit. The caller has to break
   * the channels.
   */
  void withdraw() {
    waitPastHoldLimit();
    IntStream.range(0, sinks.size()).forEach(this::atSink);
    sink.withdraw();
  }

  /** Lets more time than the hold limit pass at this bridge. */
  void waitPastHoldLimit() {
    nanos += Duration.ofHours(2).toNanos();
  }

  /**
   * Makes the bridge settle at the promoted replica, whose epoch tells the bridge of the failover.
   */
  void advanceAt(ExplorableStore promoted) {
    advancesAt = promoted;
    ledger.advancing = promoted.ledgerOf(name);
  }

  /** Makes the bridge judge where it settles. */
  void judgeWhereItAdvances() {
    judgesAt = advancesAt;
    ledger.judging = ledger.advancing;
  }

  boolean holdsAnything() {
    return pipeline.held() > 0 || !pipeline.postponed().isEmpty();
  }

  /** Returns the bridge's state as text, without its name and its ledger. */
  String text() {
    return nanos
        + pipeline.fingerprint()
        + sorted(pipeline.postponed(), Object::toString)
        + waitingTexts()
        + (memory == null ? "" : memory.fingerprint());
  }

  private String waitingTexts() {
    String texts = "";
    for (WaitingSink each : sinks) {
      texts += sorted(each.waiting, ExploredBridge::text);
    }
    return texts;
  }

  private static <E> List<String> sorted(List<E> elements, Function<E, String> text) {
    List<String> texts = new ArrayList<>(elements.size());
    elements.forEach(element -> texts.add(text.apply(element)));
    texts.sort(null);
    return texts;
  }
}
