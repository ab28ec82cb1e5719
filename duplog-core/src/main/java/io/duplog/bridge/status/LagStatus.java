package io.duplog.bridge.status;

import com.fasterxml.jackson.core.JsonGenerator;
import io.duplog.lag.LagReport;
import io.duplog.lag.LagWatch;
import io.duplog.lag.StreamLag;
import io.duplog.lag.StreamState;
import io.duplog.observe.Metrics;
import io.duplog.status.Health;
import io.duplog.status.Section;
import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Shows how far each stream has come: as metrics, as a section of the state, as health. */
public final class LagStatus {
  private final LagWatch watch;
  private final List<String> streams;

  /**
   * @param streams in the order of the watch's report
   */
  public LagStatus(LagWatch watch, List<String> streams) {
    this.watch = watch;
    this.streams = streams;
  }

  public void addTo(BridgeStatus status) {
    for (int i = 0; i < streams.size(); i++) {
      int index = i;
      register(status.metrics(), index);
      status.health().add(() -> part(watch.report().streams().get(index)));
    }
    status
        .metrics()
        .gauge(
            "duplog.stream.skew.seconds",
            "How far the last stream lags behind the first, of those that are connected",
            () -> watch.report().skewSeconds());
    status.document().add(Section.of("lag", this::write));
  }

  private void register(Metrics metrics, int index) {
    gauge(
        metrics,
        "duplog.stream.age.seconds",
        "Since the newest settled message was published, by the node's clock",
        index,
        StreamLag::ageSeconds);
    gauge(
        metrics,
        "duplog.stream.lag.seconds",
        "How long what is being settled has waited; 0 once everything is settled",
        index,
        StreamLag::lagSeconds);
    gauge(
        metrics,
        "duplog.stream.queue.depth",
        "Deliveries that are ready in the stream's queues",
        index,
        lag -> lag.depth() < 0 ? Double.NaN : lag.depth());
    gauge(
        metrics,
        "duplog.stream.heartbeat.age.seconds",
        "Since the last heartbeat arrived, at any bridge",
        index,
        lag -> lag.heartbeat().ageSeconds());
    gauge(
        metrics,
        "duplog.stream.heartbeat.delay.seconds",
        "From the last heartbeat's publication, by the node's clock, to its arrival, by ours",
        index,
        lag -> lag.heartbeat().delaySeconds());
    gauge(
        metrics,
        "duplog.shim.confirmed.messages",
        "Messages that the broker has confirmed to the shim since that began",
        index,
        lag -> lag.heartbeat().confirmed());
    gauge(
        metrics,
        "duplog.shim.stalled.seconds",
        "For how long the broker had confirmed nothing to the shim that waits for it",
        index,
        lag -> lag.heartbeat().stalledSeconds());
    for (StreamState state : StreamState.values()) {
      metrics.gauge(
          "duplog.stream.state",
          "1 for what the stream is doing, 0 for all else",
          () -> watch.report().streams().get(index).state() == state ? 1 : 0,
          "stream",
          streams.get(index),
          "state",
          state.text());
    }
  }

  private void gauge(
      Metrics metrics, String name, String help, int index, ToDoubleFunction<StreamLag> value) {
    metrics.gauge(
        name,
        help,
        () -> value.applyAsDouble(watch.report().streams().get(index)),
        "stream",
        streams.get(index));
  }

  static Health.Part part(StreamLag lag) {
    String name = "lag " + lag.stream();
    return switch (lag.state()) {
      case FLOWING, SILENT, UNKNOWN, HELD, DISCONNECTED ->
          new Health.Part(name, Health.State.WELL, lag.state().text());
      case WAITING ->
          new Health.Part(
              name,
              Health.State.WELL,
              Double.isNaN(lag.heartbeat().ageSeconds())
                  ? "waiting: no shim was seen yet, rsyslog starts it at the first message"
                  : "waiting: its shim ended in good order, rsyslog starts one at the next"
                      + " message");
      case DEAD ->
          new Health.Part(
              name,
              Health.State.DEGRADED,
              "dead: its broker answers, but neither messages nor heartbeats come; its rsyslog or"
                  + " shim is down, or its broker refuses what the shim publishes");
      case MISNAMED ->
          new Health.Part(
              name,
              Health.State.DEGRADED,
              "its queue brings "
                  + lag.saidToBe()
                  + ": that is delivered without being compared; two streams' host is one broker,"
                  + " or the shim's stream is not the bridge's");
      case BEHIND ->
          new Health.Part(
              name,
              Health.State.DEGRADED,
              "%.0f s behind, more than half of the window".formatted(lag.lagSeconds()));
    };
  }

  private void write(JsonGenerator json) throws IOException {
    LagReport report = watch.report();
    json.writeStartObject();
    json.writeArrayFieldStart("streams");
    for (StreamLag lag : report.streams()) {
      json.writeStartObject();
      json.writeStringField("stream", lag.stream());
      json.writeStringField("state", lag.state().text());
      seconds(json, "age_seconds", lag.ageSeconds());
      seconds(json, "lag_seconds", lag.lagSeconds());
      seconds(json, "heartbeat_age_seconds", lag.heartbeat().ageSeconds());
      if (lag.depth() < 0) {
        json.writeNullField("depth");
      } else {
        json.writeNumberField("depth", lag.depth());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    seconds(json, "skew_seconds", report.skewSeconds());
    json.writeEndObject();
  }

  private static void seconds(JsonGenerator json, String name, double value) throws IOException {
    if (Double.isNaN(value)) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, Math.round(value * 1000) / 1e3);
    }
  }
}
