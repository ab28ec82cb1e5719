package io.duplog.bridge.status;

import io.duplog.dedup.PeerSettings;
import io.duplog.lag.LagReport;
import io.duplog.lag.LagWatch;
import io.duplog.lag.NodeLosses;
import io.duplog.lag.StreamLag;
import io.duplog.lag.StreamState;
import io.duplog.observe.Condition;
import io.duplog.observe.JsonObject;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows how long each stream's messages wait to be delivered, as metrics, as health and on the
 * status page. Also shows as health whether the bridges' settings agree.
 *
 * @param streams the streams, in the order of the watch's report
 */
public record LagStatus(LagWatch watch, List<String> streams, PeerSettings peers) {
  public void addTo(BridgeStatus status) {
    NamedMetrics metrics = new NamedMetrics(status.metrics());
    for (int i = 0; i < streams.size(); i++) {
      int index = i;
      Supplier<StreamLag> lag = () -> watch.report().streams().get(index);
      NodeLosses losses = watch.of(streams.get(i)).losses();
      register(metrics.with("stream", streams.get(i)), lag, losses);
      status.trends().addValue("lag_seconds", streams.get(i), () -> lag.get().lagSeconds());
      status.addComponent("lag " + streams.get(i), () -> lag.get().condition());
    }
    status.addComponent(
        "settings",
        () ->
            Condition.of(
                "settings",
                Level.ATTENTION,
                peers.trouble(),
                Runbook.SETTINGS_DIFFER,
                "as on the other bridges"));
    metrics.gauge("duplog.stream.skew.seconds", () -> watch.report().skewSeconds());
    status.document().add("lag", this::json);
  }

  private static void register(NamedMetrics metrics, Supplier<StreamLag> lag, NodeLosses losses) {
    metrics.gauge("duplog.stream.age.seconds", () -> lag.get().ageSeconds());
    metrics.gauge("duplog.stream.lag.seconds", () -> lag.get().lagSeconds());
    metrics.gauge("duplog.stream.queue.depth", () -> orUnknown(lag.get().depth()));
    metrics.gauge("duplog.stream.queues.unread", () -> orUnknown(lag.get().unread()));
    metrics.gauge("duplog.stream.heartbeat.age.seconds", () -> lag.get().heartbeat().ageSeconds());
    metrics.gauge(
        "duplog.stream.heartbeat.delay.seconds", () -> lag.get().heartbeat().delaySeconds());
    metrics.gauge("duplog.shim.confirmed.messages", () -> lag.get().heartbeat().confirmed());
    metrics.gauge("duplog.shim.stalled.seconds", () -> lag.get().heartbeat().stalledSeconds());
    metrics.gauge("duplog.node.dropped", () -> orUnknown(losses.sum().dropped()));
    metrics.gauge("duplog.node.discarded", () -> orUnknown(losses.sum().discarded()));
    for (StreamState state : StreamState.values()) {
      metrics
          .with("state", state.text())
          .flag("duplog.stream.state", () -> lag.get().state() == state);
    }
  }

  private static double orUnknown(long number) {
    return number < 0 ? Double.NaN : number;
  }

  private JsonObject json() {
    LagReport report = watch.report();
    return new JsonObject()
        .put("streams", report.streams().stream().map(LagStatus::json).toList())
        .put("skew_seconds", seconds(report.skewSeconds()));
  }

  private static JsonObject json(StreamLag lag) {
    return new JsonObject()
        .put("stream", lag.stream())
        .put("state", lag.state().text())
        .put("age_seconds", seconds(lag.ageSeconds()))
        .put("lag_seconds", seconds(lag.lagSeconds()))
        .put("heartbeat_age_seconds", seconds(lag.heartbeat().ageSeconds()))
        .put("depth", lag.depth() < 0 ? null : (Long) lag.depth());
  }

  private static @Nullable Double seconds(double value) {
    return Double.isNaN(value) ? null : (Double) (Math.round(value * 1000) / 1e3);
  }
}
