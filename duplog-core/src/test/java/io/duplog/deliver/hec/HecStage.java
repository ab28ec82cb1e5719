package io.duplog.deliver.hec;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractListAssert;
import org.assertj.core.api.ListAssert;

/** A sink whose senders a test steps, with collectors and a clock of the test's. */
public final class HecStage {
  final List<FakeCollector> collectors = new ArrayList<>();
  final DeliveryRequests deliveries = new DeliveryRequests();
  final List<String> broken = new ArrayList<>();
  final HecSink sink;
  long nanos = 1_000_000_000L;

  /** What happens every ten milliseconds while a sender waits for its answer. */
  Runnable meanwhile = () -> {};

  private final Set<Integer> underWay = new HashSet<>();

  private HecStage(int urls, String keys, long seed) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < urls; i++) {
      collectors.add(new FakeCollector());
      names.add("http://splunk-" + i);
    }
    HecSinkConfig config = config("urls: " + names + "\ntoken: t\n" + keys);
    sink =
        new HecSink(
            config,
            new HecSink.Environment(
                url -> collectors.get(names.indexOf(url)).connect(),
                () -> nanos,
                () -> DeliveryRequests.RECEIVED_MILLIS,
                new Random(seed)),
            broken::add);
  }

  /** With one sender a URL, unless the keys say otherwise. */
  static HecStage of(int urls, String keys) {
    String senders = keys.contains("requests-per-url") ? "" : "requests-per-url: 1\n";
    return new HecStage(urls, senders + keys, 1);
  }

  static HecStage of(int urls, String keys, long seed) {
    return new HecStage(urls, keys, seed);
  }

  public static HecSinkConfig config(String text) {
    try {
      return ConfigLoader.of(Map.of(), "h").parse("hec.yaml", text, HecSinkConfig.class);
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  /** Messages m0, m1 and so on. */
  static String[] numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new);
  }

  FakeCollector collector() {
    return collectors.get(0);
  }

  /** Steps the sender, unless it waits for an answer; what it returns is how long it would idle. */
  long step(int sender) {
    if (!underWay.add(sender)) {
      return Long.MAX_VALUE;
    }
    try {
      return sink.senders().get(sender).runOnce();
    } finally {
      underWay.remove(sender);
    }
  }

  /** An answer takes its time. */
  void hang(long seconds) {
    for (int i = 0; i < 100 * seconds; i++) {
      pass(10, TimeUnit.MILLISECONDS);
      meanwhile.run();
    }
  }

  /** What the next request with events meets at the first URL. */
  void meets(FakeCollector.Behaviour once) {
    collector().script.add(once);
  }

  /** Seconds in which nothing comes. */
  HecStage idle(int seconds) {
    for (int i = 0; i < seconds; i++) {
      settle().pass(1, TimeUnit.SECONDS);
    }
    return settle();
  }

  /** What was indexed, by the first URL's collector. */
  ListAssert<String> assertIndexed() {
    return assertThat(collector().indexed);
  }

  ListAssert<String> assertAccepted() {
    return assertThat(deliveries.accepted());
  }

  /** Of each refused message, its index. */
  AbstractListAssert<?, List<? extends Integer>, Integer, ?> assertRefused() {
    return assertThat(deliveries.refused()).extracting(DeliveryRequests.Refused::message);
  }

  /** The refused messages are safe elsewhere. */
  void keepRefused() {
    List.copyOf(deliveries.refused()).forEach(refused -> refused.kept().run());
  }

  /** A delivery request each, of one message that is called like it. */
  void deliverEach(String... names) {
    for (String name : names) {
      deliver(name, name);
    }
  }

  /** Steps every sender until none has anything to do now. */
  HecStage settle() {
    boolean busy = true;
    for (int i = 0; busy; i++) {
      busy = false;
      for (int sender = 0; sender < sink.senders().size(); sender++) {
        busy |= step(sender) == 0;
      }
      if (i > 10_000) {
        throw new AssertionError("the senders do not come to rest");
      }
    }
    return this;
  }

  HecStage pass(long time, TimeUnit unit) {
    nanos += unit.toNanos(time);
    return this;
  }

  DeliveryRequest deliver(String name, String... messages) {
    BitSet all = new BitSet();
    all.set(0, messages.length);
    DeliveryRequest delivery = deliveries.of(name, DeliveryRequests.batch(false, messages), all);
    sink.deliver(delivery);
    return delivery;
  }
}
