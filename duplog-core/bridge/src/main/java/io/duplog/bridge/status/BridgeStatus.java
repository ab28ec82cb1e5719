package io.duplog.bridge.status;

import io.duplog.bridge.settings.SinkConfig;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.HecReporter;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.observe.Conditions;
import io.duplog.observe.End;
import io.duplog.observe.LineFeed;
import io.duplog.observe.Metrics;
import io.duplog.observe.StreamCounters;
import io.duplog.status.Health;
import io.duplog.status.LastWarnings;
import io.duplog.status.StateDocument;
import io.duplog.status.StatusConfig;
import io.duplog.status.StatusEvents;
import io.duplog.status.StatusException;
import io.duplog.status.StatusServer;
import io.duplog.status.page.Trends;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows an operator the state of a bridge: its metrics, its health, its state document and its
 * status page. Other parts of the bridge add to {@link #metrics}, {@link #health}, {@link
 * #document} or {@link #trends} when the bridge is created.
 */
public final class BridgeStatus implements AutoCloseable {
  private final Metrics metrics;
  private final Conditions board;
  private final StateDocument document = new StateDocument();
  private final Trends trends = new Trends();
  private final LastWarnings warnings = LastWarnings.ofLog();
  private final BridgeParts inside;
  private final BooleanSupplier liveness;
  private final Function<Map<String, String>, LineFeed> tap;
  private @Nullable StatusServer server;
  private @Nullable HecReporter reporter;

  /**
   * Creates the status, which owns the metrics and closes them.
   *
   * @param board what is wrong with each component
   * @param liveness false if the bridge no longer works and should be restarted
   * @param tap opens a feed of what is about to go to the sink; used if the configuration allows
   *     taps
   */
  public BridgeStatus(
      Metrics metrics,
      BridgeParts inside,
      Conditions board,
      BooleanSupplier liveness,
      Function<Map<String, String>, LineFeed> tap) {
    this.metrics = metrics;
    this.inside = inside;
    this.board = board;
    this.liveness = liveness;
    this.tap = tap;
    BridgeHealth parts = new BridgeHealth(inside, board);
    parts.addTo(this);
    new BridgeMetrics(new NamedMetrics(metrics.withPlatform()), inside, board).register();
    new BridgeSections(inside, parts).addTo(document);
    document.add("health", health()::overall);
    document.add("warnings", warnings::lines);
    for (StreamCounters stream : inside.counters().streams()) {
      trends.addRate("received", stream.stream(), stream.received::sum);
    }
    trends.addRate("delivered", null, () -> inside.counters().sum(StreamCounters::delivered));
    trends.addRate("removed", null, () -> inside.counters().sum(each -> each.sum(End.DROPPED)));
  }

  public Metrics metrics() {
    return metrics;
  }

  /**
   * Adds a component to {@link #health}, and a metric of its level.
   *
   * @param subject the subject of each of its conditions
   * @param work what the component does while nothing is wrong; called from any thread, often
   */
  public void addComponent(String subject, Supplier<String> work) {
    board.add(subject, work);
    new NamedMetrics(metrics)
        .with("component", subject)
        .gauge("duplog.component.level", () -> board.condition(subject).level().number());
  }

  /** Adds a component whose condition is computed and reported, also while nothing is wrong. */
  public void addComponent(String subject) {
    addComponent(subject, () -> "");
  }

  public Health health() {
    return new Health(board);
  }

  public StateDocument document() {
    return document;
  }

  /** Returns the series that the page draws. */
  public Trends trends() {
    return trends;
  }

  /**
   * Opens the page unless the configuration has none, and begins to report to Splunk if the
   * configuration wants that.
   *
   * @return the page's address; null if there is no page
   * @throws StatusException if the port is in use
   * @throws SinkException if the sink's files for TLS can't be read
   */
  public @Nullable String open() throws StatusException, SinkException {
    report();
    StatusConfig config = inside.config().status();
    if (config.isOff()) {
      return null;
    }
    server =
        StatusServer.open(
            config,
            new StatusServer.Views(
                document, health(), metrics::scrape, liveness, trends, config.tap() ? tap : null));
    return server.url();
  }

  private void report() throws SinkException {
    @Nullable HecSinkConfig hec =
        inside.config().allSinks().values().stream()
            .map(SinkConfig::activeHec)
            .filter(section -> section != null && section.report() != null)
            .findFirst()
            .orElse(null);
    if (hec != null) {
      HecReporter reports =
          HecReporter.open(
              hec,
              inside.config().name(),
              since -> StatusEvents.of(document.render(), since),
              board);
      addComponent(HecReporter.SUBJECT, () -> "told to Splunk");
      reporter = reports;
    }
  }

  @Override
  public void close() {
    if (reporter != null) {
      reporter.close();
    }
    if (server != null) {
      server.close();
    }
    warnings.close();
    metrics.close();
  }
}
