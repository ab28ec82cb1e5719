package io.duplog.deliver.hec;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.DeliveryRequests.Refused;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ListAssert;
import org.jspecify.annotations.Nullable;

/**
 * Runs the HEC sink step by step without threads, with collectors and a clock that the test
 * controls.
 */
public final class HecStage {
  final List<FakeCollector> collectors = new ArrayList<>();
  final DeliveryRequests deliveries = new DeliveryRequests();
  final List<String> bugReports = new ArrayList<>();
  final HecSink sink;

  /** Configuration of the sink; for other classes that a test runs with the same collectors. */
  final HecSinkConfig config;

  final HecEnvironment environment;

  long nanos = 1_000_000_000L;
  long wallMillis = DeliveryRequests.RECEIVED_MILLIS;
  final Conditions board = new Conditions(() -> nanos, () -> wallMillis);

  /** Action that runs every ten milliseconds while a sender waits for its answer. */
  Runnable meanwhile = () -> {};

  private final Set<Integer> busySenders = new HashSet<>();

  private HecStage(int urls, String keys, long seed) {
    List<String> names = IntStream.range(0, urls).mapToObj(i -> "http://splunk-" + i).toList();
    config = config("urls: " + names + "\ntoken: t\n" + keys);
    for (int i = 0; i < urls; i++) {
      collectors.add(new FakeCollector(config.acknowledge()));
    }
    environment =
        new HecEnvironment(
            url -> collectors.get(names.indexOf(url)).connect(),
            SinkContext.ofOnly(bugReports::add, board),
            new Random(seed),
            new Routing(config.routing()));
    sink = new HecSink(config, environment);
  }

  /**
   * Creates senders that know that their URLs work, one for each URL unless the keys set another
   * number.
   */
  static HecStage of(int urls, String keys) {
    return of(urls, keys, 1);
  }

  static HecStage of(int urls, String keys, long seed) {
    HecStage stage = unsettled(urls, keys, seed).settle();
    stage.collectors.forEach(collector -> collector.polls.clear());
    return stage;
  }

  /** Creates one sender that has not tried its URL yet. */
  static HecStage unsettled(String keys) {
    return unsettled(1, keys, 1);
  }

  private static HecStage unsettled(int urls, String keys, long seed) {
    String senders = keys.contains("requests-per-url") ? "" : "requests-per-url: 1\n";
    return new HecStage(urls, senders + keys, seed);
  }

  /**
   * Tests every URL like the doctor, which indexes nothing.
   *
   * @throws SinkException if URLs don't work; its message names them and the reasons
   */
  static void check(HecSinkConfig config) throws SinkException {
    HecProbe probe = HecProbe.of(config);
    List<String> problems = new ArrayList<>();
    for (String url : probe.urls()) {
      HecProbe.Look look = probe.look(url);
      if (look.trouble() != null) {
        String remedy = look.remedy().isEmpty() ? "" : ": " + look.remedy();
        problems.add("sink hec " + probe.named(url) + " " + look.trouble() + remedy);
      }
    }
    if (!problems.isEmpty()) {
      throw new SinkException(String.join("; ", problems), null);
    }
  }

  public static HecSinkConfig config(String text) {
    try {
      return ConfigLoader.of(Map.of(), "h").parse("hec.yaml", text, HecSinkConfig.class);
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns messages m0, m1 and so on. */
  static String[] numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new);
  }

  FakeCollector collector() {
    return collectors.get(0);
  }

  /**
   * Steps the sender, unless it waits for an answer.
   *
   * @return the sender's idle time in milliseconds, rounded up
   */
  long step(int sender) {
    if (!busySenders.add(sender)) {
      return Long.MAX_VALUE;
    }
    try {
      long idleNanos = sink.senders().get(sender).runOnce();
      return idleNanos == 0 ? 0 : NANOSECONDS.toMillis(idleNanos - 1) + 1;
    } finally {
      busySenders.remove(sender);
    }
  }

  /** Delays an answer by this time. */
  void hang(long seconds) {
    for (int i = 0; i < 100 * seconds; i++) {
      pass(10);
      meanwhile.run();
    }
  }

  /** Sets the first URL's behaviours for the next requests with events. */
  void onNextPosts(FakeCollector.Behaviour... once) {
    collector().script.addAll(List.of(once));
  }

  /** Lets seconds pass without new messages. */
  HecStage idle(int seconds) {
    for (int i = 0; i < seconds; i++) {
      settle().pass(1000);
    }
    return settle();
  }

  /** Makes the first URL's indexers acknowledge requests with these ids, and polls them. */
  HecStage acknowledge(long... ids) {
    for (long id : ids) {
      collector().acknowledge(id);
    }
    return pass(1000).settle();
  }

  /** Returns what is wrong with the sink; null if nothing is. */
  @Nullable String trouble() {
    sink.watch();
    return Boards.trouble(board, Sink.SUBJECT);
  }

  /** Starts an assertion about the events that the first URL's collector has indexed. */
  ListAssert<String> assertIndexed() {
    return assertThat(collector().indexed);
  }

  /**
   * Asserts the outcome of everything so far.
   *
   * @param outcome such as {@code indexed=[a, b], accepted=[p], refused=[p-2], withdrawn=[q]},
   *     without empty lists. Indexed are messages at the first URL's collector; accepted and
   *     withdrawn are delivery requests; refused are messages by their number in a delivery
   *     request.
   */
  void expect(String outcome) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    all.put("indexed", collector().indexed);
    all.put("accepted", deliveries.accepted());
    all.put("refused", refused());
    all.put("withdrawn", deliveries.withdrawn());
    all.values().removeIf(List::isEmpty);
    assertThat(all).hasToString("{" + outcome + "}");
  }

  /** Returns how many events the sink has counted as accepted. */
  long eventsAccepted() {
    return sink.accepted().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the refused messages, each with its delivery request: {@code p-2}. */
  List<String> refused() {
    return deliveries.refused().stream().map(Refused::name).toList();
  }

  /** Reports the refused messages as stored elsewhere. */
  HecStage keepRefused() {
    List.copyOf(deliveries.refused()).forEach(refused -> refused.kept().run());
    return this;
  }

  /** Steps every sender until none has work. */
  HecStage settle() {
    boolean busy = true;
    for (int i = 0; busy; i++) {
      busy = false;
      for (int sender = 0; sender < sink.senders().size(); sender++) {
        busy |= step(sender) == 0;
      }
      if (i > 10_000) {
        throw new AssertionError("the senders do not become idle");
      }
    }
    return this;
  }

  HecStage pass(long millis) {
    nanos += MILLISECONDS.toNanos(millis);
    return this;
  }

  /** Delivers a request for each name, with one message of the same text. */
  HecStage deliverEach(String... names) {
    for (String name : names) {
      deliver(name, name);
    }
    return this;
  }

  HecStage deliver(String name, String... messages) {
    sink.deliver(deliveries.ofMessages(name, messages));
    return this;
  }
}
