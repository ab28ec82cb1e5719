package io.duplog.bridge.status;

import io.duplog.bridge.settings.SinkConfig;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.HecReporter;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.observe.Condition;
import io.duplog.observe.End;
import io.duplog.observe.Level;
import io.duplog.observe.LineFeed;
import io.duplog.observe.Metrics;
import io.duplog.observe.Runbook;
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
  /** The sentence about a sink that accepts nothing and does not say why. */
  public static final String SINK_ACCEPTS_NOTHING =
      "The sink accepts nothing. The bridge takes no more deliveries until it does; messages wait in"
          + " the brokers' queues. Check the sink.";

  private final Metrics metrics;
  private final Health health = new Health();
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
   * @param liveness false if the bridge no longer works and should be restarted
   * @param tap opens a feed of what is about to go to the sink; used if the configuration allows
   *     taps
   */
  public BridgeStatus(
      Metrics metrics,
      BridgeParts inside,
      BooleanSupplier liveness,
      Function<Map<String, String>, LineFeed> tap) {
    this.metrics = metrics;
    this.inside = inside;
    this.liveness = liveness;
    this.tap = tap;
    BridgeHealth parts = new BridgeHealth(inside);
    parts.addTo(this);
    new BridgeMetrics(new NamedMetrics(metrics.withPlatform()), inside).register();
    new BridgeSections(inside, parts).addTo(document);
    document.add("health", health::json);
    document.add("warnings", warnings::json);
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
   * @param condition called several times a second, from any thread
   */
  public void addComponent(String subject, Supplier<Condition> condition) {
    health.add(condition);
    new NamedMetrics(metrics)
        .with("component", subject)
        .gauge("duplog.component.level", () -> condition.get().level().number());
  }

  public Health health() {
    return health;
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
                document, health, metrics::scrape, liveness, trends, config.tap() ? tap : null));
    return server.url();
  }

  private void report() throws SinkException {
    SinkConfig sink = inside.config().sink();
    HecSinkConfig hec = sink.hec();
    if (sink.type() == SinkConfig.Type.HEC && hec != null && hec.report() != null) {
      HecReporter reports =
          HecReporter.open(
              hec, inside.config().name(), since -> StatusEvents.of(document.render(), since));
      addComponent(
          "reports",
          () ->
              Condition.of(
                  "reports",
                  Level.DEGRADED,
                  reports.trouble(),
                  Runbook.SINK_AWAY,
                  "told to Splunk"));
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
