package io.duplog.bridge;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.status.BridgeStatus;
import io.duplog.bridge.status.NamedMetrics;
import io.duplog.config.ConfigException;
import io.duplog.config.RereadFile;
import io.duplog.coverage.Coverage;
import io.duplog.coverage.CoverageConfig;
import io.duplog.coverage.CoverageKeeper;
import io.duplog.coverage.CoverageQuery;
import io.duplog.coverage.CoverageReport;
import io.duplog.coverage.LostByAll;
import io.duplog.coverage.StatementConfig;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.SharedTexts;
import io.duplog.deliver.route.Network;
import io.duplog.observe.Conditions;
import io.duplog.observe.Counters;
import io.duplog.observe.EventCounts;
import io.duplog.pipeline.InFlightBatch;
import io.duplog.senders.Concern;
import io.duplog.senders.SenderInventory;
import io.duplog.senders.SenderList;
import io.duplog.senders.SenderSearch;
import io.duplog.senders.SendersQuery;
import io.duplog.statement.StatementKeeper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connects a bridge's batches to the counts of what each stream missed, to the inventory of senders
 * and to the hourly statements. Does nothing if {@code coverage} is switched off. If the ledger has
 * several parts, the messages of each part are compared in that part.
 */
final class CoverageWiring {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration RECENT = Duration.ofMinutes(5);

  private final CoverageConfig config;
  private final List<String> streams;
  private final int parts;
  private final @Nullable Coverage coverage;
  private final @Nullable CoverageKeeper keeper;
  private final @Nullable SenderInventory senders;
  private final SharedTexts shared;
  private final Duration window;
  private volatile @Nullable StatementKeeper statements;

  /**
   * @param current tests, by name, whether a stream has brought everything that it can by now
   * @param board where the conditions that are computed are reported
   */
  CoverageWiring(
      BridgeConfig bridge,
      List<String> streams,
      List<Ledger> parts,
      Predicate<String> current,
      Conditions board) {
    this.config = bridge.coverage();
    this.streams = streams;
    this.parts = parts.size();
    this.window = bridge.dedup().window();
    this.shared = parts.get(0).texts("statements");
    // If the address is not part of the identity, the streams may see different addresses of one
    // sender.
    boolean bySender = bridge.dedup().identity() == Identity.SENDER_AND_MESSAGE;
    if (config.enabled()) {
      Duration period = Coverage.period(window);
      coverage =
          new Coverage(
              streams,
              window,
              period,
              config.senders(),
              bySender,
              parts.stream().map(part -> part.tallies(period)).toList(),
              board.wallMillis());
      Coverage counted = coverage;
      senders =
          new SenderInventory(
              streams,
              parts.get(0).texts("senders"),
              config.inventory(),
              new SenderHeaders(bridge.firstHec()),
              stream -> bySender && current.test(stream),
              () -> counted.storeTime().toEpochMilli());
      keeper = new CoverageKeeper(coverage, config.warnPercent(), senders, board);
    } else {
      senders = null;
      coverage = null;
      keeper = null;
    }
  }

  /**
   * Reads the list of senders that are expected, and follows it; reads the key that signs
   * statements.
   *
   * @param bridge the bridge's name
   * @param accepted returns what the sink has accepted since it was opened
   * @throws ConfigException that names what is wrong with a file
   */
  void openFiles(String bridge, Counters counters, Supplier<Map<EventCounts.Source, Long>> accepted)
      throws ConfigException {
    StatementConfig stated = config.statements();
    Coverage compared = coverage;
    if (compared != null && stated != null) {
      statements =
          new StatementKeeper(
              stated,
              bridge,
              counters,
              accepted,
              shared,
              compared::reportOf,
              window,
              compared::storeTime,
              System::nanoTime);
    }
    String file = config.senderList();
    if (senders != null && file != null) {
      RereadFile<SenderList> list =
          new RereadFile<>(Path.of(file), SenderList::read, System::nanoTime);
      senders.useList(list::current);
    }
  }

  /** Adds the results of the comparison to the state document and to the metrics. */
  void addTo(BridgeStatus status, CoverageQuery.Nodes nodes) {
    Coverage counted = coverage;
    if (counted == null) {
      status.document().addQuery("coverage", CoverageWiring::refuse);
      status.document().addQuery("senders", CoverageWiring::refuse);
      return;
    }
    for (String stream : streams) {
      status.addComponent("coverage " + stream);
    }
    if (streams.size() > 1) {
      status.addComponent("comparison");
    }
    status.document().add("coverage", () -> CoverageQuery.of(counted, nodes, config.warnPercent()));
    NamedMetrics metrics = new NamedMetrics(status.metrics());
    for (int i = 0; i < streams.size(); i++) {
      int stream = i;
      NamedMetrics ofStream = metrics.with("stream", streams.get(stream));
      ofStream.counter("duplog.coverage.messages", counted::messages);
      ofStream.counter("duplog.coverage.missed", () -> counted.missed(stream));
      ofStream.counter("duplog.coverage.not.compared", counted::notCompared);
      ofStream.gauge(
          "duplog.coverage.missed.ratio",
          () -> counted.report(HOUR).streams().get(stream).missedPercent() / 100);
      status
          .trends()
          .addValue("missed_percent", streams.get(stream), () -> recentlyMissed(counted, stream));
    }
    metrics.gauge("duplog.coverage.lost.by.all", () -> lostByAll(counted));
    metrics.gauge("duplog.coverage.clock.ahead.seconds", () -> counted.storeAheadMillis() / 1e3);
    metrics.gauge("duplog.statement.age.seconds", this::statementAge);
    SenderSearch search =
        new SenderSearch(
            Objects.requireNonNull(senders), network -> Network.parse(network)::contains);
    status
        .document()
        .addQuery(
            "coverage",
            words -> CoverageQuery.of(counted, nodes, config.warnPercent(), words, search::parse));
    addTo(status, search, metrics);
    metrics.gauge("duplog.coverage.mismatches", () -> counted.mismatches().size());
    if (parts > 1) {
      metrics.gauge("duplog.coverage.parts.missing", () -> counted.report(HOUR).partial().size());
    }
  }

  private static Object refuse(Map<String, String> words) {
    throw new IllegalArgumentException("this bridge does not count: coverage.enabled is false");
  }

  private static void addTo(BridgeStatus status, SenderSearch search, NamedMetrics metrics) {
    SenderInventory senders = search.senders();
    status.addComponent("senders");
    status.document().add("senders", () -> SendersQuery.summary(senders));
    status.document().addQuery("senders", words -> SendersQuery.of(search, words));
    metrics.gauge("duplog.senders", senders::size);
    for (Concern concern : Concern.values()) {
      metrics.gauge(
          concern.metric(),
          "Senders that " + concern.verb(2),
          () -> senders.concernCounts().of(concern).senders());
    }
    metrics.gauge("duplog.senders.numbers.missing", senders::missingNumbers);
    metrics.counter("duplog.senders.unlisted", senders::unlistedCopies);
  }

  /** Returns the percentage that a stream missed lately; NaN if nothing is settled. */
  private static double recentlyMissed(Coverage counted, int stream) {
    CoverageReport report = counted.report(RECENT);
    return report.settledUntil() == null
        ? Double.NaN
        : report.streams().get(stream).missedPercent();
  }

  private static double lostByAll(Coverage counted) {
    LostByAll lost = counted.report(HOUR).lostByAll();
    return lost == null ? Double.NaN : lost.messages();
  }

  private double statementAge() {
    StatementKeeper stated = statements;
    Coverage counted = coverage;
    return stated == null || counted == null
        ? Double.NaN
        : Duration.between(stated.lastUntil(), counted.storeTime()).toMillis() / 1e3;
  }

  void start() {
    if (keeper != null) {
      keeper.start();
    }
    StatementKeeper stated = statements;
    if (stated != null) {
      stated.start();
    }
  }

  /** Called when a batch was counted by the ledger of its part; may be called from any thread. */
  void counted(InFlightBatch batch, Judgement.Counted counted) {
    if (coverage != null) {
      coverage.counted(batch.part(), batch.batch(), batch.claim().stream(), counted);
    }
    if (senders != null && counted.sightings() != null) {
      senders.counted(
          batch.batch(), batch.claim().stream(), counted.kept(), batch.publishedMillis());
    }
  }

  /**
   * Called when a batch is delivered without an answer of its part's ledger, so that it can't be
   * compared. May be called from any thread.
   */
  void passed(InFlightBatch batch) {
    if (coverage != null) {
      coverage.uncounted(batch.part(), batch.batch().count());
    }
    if (senders != null && batch.countable()) {
      senders.counted(batch.batch(), batch.claim().stream(), null, batch.publishedMillis());
    }
  }

  /** Called when the sink has refused a message; may be called from any thread. */
  void refused(InFlightBatch batch, int message) {
    if (senders != null && batch.countable()) {
      senders.refused(batch.batch(), message);
    }
  }

  /** Stores the latest counts, and waits for the comparison's thread to end. */
  void stop() throws InterruptedException {
    if (keeper != null) {
      keeper.stop();
    }
    StatementKeeper stated = statements;
    if (stated != null) {
      stated.stop();
    }
  }
}
