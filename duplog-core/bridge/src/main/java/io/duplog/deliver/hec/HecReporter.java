package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.config.Durations;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.Conditions;
import io.duplog.observe.Json;
import io.duplog.observe.JsonObject;
import io.duplog.observe.Level;
import io.duplog.observe.PollingThread;
import io.duplog.observe.Runbook;
import io.duplog.observe.Trouble;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the bridge's own state to Splunk as events at an interval, so that the Splunk app can show
 * it. No message waits for a report. If a URL does not accept a report, the next URL is tried once.
 * After that the report is given up, because the next one repeats its content.
 */
public final class HecReporter implements AutoCloseable {
  /** Sourcetype of all reported events, which keeps them apart from messages. */
  public static final String SOURCETYPE = "duplog:status";

  /** The name of the component on the board. */
  public static final String SUBJECT = "reports";

  private static final Logger log = LoggerFactory.getLogger(HecReporter.class);

  /** An event with its metadata, as the collector takes it. */
  private record Reported(
      BigDecimal time,
      String host,
      String index,
      String sourcetype,
      String source,
      JsonObject event) {}

  private final HecSinkConfig.Report report;
  private final String host;
  private final Function<Instant, List<JsonObject>> events;
  private final List<String> urls;
  private final List<Connection> connections;

  /**
   * Channel of all reports if the token uses indexer acknowledgement; otherwise null. The bridge
   * does not poll for acknowledgements. Splunk keeps up to a million ids, which last for two years.
   */
  private final @Nullable String channelId;

  private final LongSupplier wallMillis;
  private final Trouble warning;
  private final PollingThread thread = new PollingThread("hec-report", this::runStep, () -> {});

  // Used by the reporter's thread only.

  /** Time of the last successful report; initially, when the reporter was created. */
  private Instant reportedUntil;

  /** Index in {@link #urls} of the URL that gets the next report. */
  private int urlIndex;

  /** Whether the first interval has started. */
  private boolean hasStarted;

  /** Creates a reporter without starting it; for the parameters see {@link #open}. */
  HecReporter(
      HecSinkConfig config,
      String host,
      Function<Instant, List<JsonObject>> events,
      HecEnvironment environment) {
    this.report = Objects.requireNonNull(config.report());
    this.host = host;
    this.events = events;
    this.urls = config.baseUrls();
    this.connections = urls.stream().map(environment.connections()).toList();
    this.channelId = config.acknowledge() ? UUID.randomUUID().toString() : null;
    this.wallMillis = environment.wallMillis();
    this.warning =
        environment
            .context()
            .board()
            .trouble(log, "sink hec report", SUBJECT, Level.DEGRADED, Runbook.SINK_AWAY);
    this.reportedUntil = Instant.ofEpochMilli(wallMillis.getAsLong());
  }

  /**
   * Starts a reporter. It sends its first report after the first interval.
   *
   * @param config a configuration with a section {@code report}
   * @param host the host of all reported events, which is the bridge's name
   * @param events returns the events since the given time, which is the last successful report;
   *     called by the reporter's thread, may throw
   * @param board where the reporter shows that reports fail
   * @throws SinkException if a TLS file can't be read
   */
  public static HecReporter open(
      HecSinkConfig config,
      String host,
      Function<Instant, List<JsonObject>> events,
      Conditions board)
      throws SinkException {
    Routing unused = new Routing(config.routing()); // the events name their index themselves
    HecReporter reporter =
        new HecReporter(
            config,
            host,
            events,
            HecEnvironment.ofSystem(config, unused, SinkContext.ofOnly(line -> {}, board)));
    reporter.thread.start();
    return reporter;
  }

  private long runStep() {
    if (hasStarted) {
      runOnce();
    }
    hasStarted = true;
    return report.every().toNanos();
  }

  /** Sends one report. Failures are logged and never thrown. */
  void runOnce() {
    Instant now = Instant.ofEpochMilli(wallMillis.getAsLong());
    String failure;
    try {
      byte[] body = body(now);
      failure = post(body);
      if (failure != null && urls.size() > 1) {
        failure = post(body);
      }
    } catch (RuntimeException e) {
      log.debug("a report to Splunk failed", e);
      failure = "no report can be made because of a bug in Duplog (" + e + ")";
    }
    if (failure == null) {
      reportedUntil = now;
      warning.recovered();
    } else if (!thread.isClosed()) {
      String line =
          "sink hec report: %s. Messages are not affected. The next report follows in %s."
              .formatted(failure, Durations.inWords(report.every()));
      warning.occurred("unavailable", failure, line);
    }
  }

  /**
   * Posts a report to the current URL. After a failure, the next URL becomes the current one.
   *
   * @return the failure, or null if the report was accepted
   */
  private @Nullable String post(byte[] body) {
    Connection.Post post = Connection.Post.ofEvents(body, channelId);
    Answer answer;
    try {
      answer = AnswerReader.read(connections.get(urlIndex).post(post), wallMillis.getAsLong());
    } catch (IOException e) {
      answer = EmptyRequest.unreachable(e);
    }
    if (answer instanceof Answer.Accepted) {
      return null;
    }
    String remedy =
        answer.remedy().isEmpty()
            ? ". If this lasts, check the collector and the network"
            : ". To fix this, " + answer.remedy();
    if (answer instanceof Answer.WrongIndex) {
      remedy =
          ". To fix this, create the index "
              + report.index()
              + ", or allow the token to write to it";
    }
    String failure = urls.get(urlIndex) + " " + answer.cause() + remedy;
    urlIndex = (urlIndex + 1) % urls.size();
    return failure;
  }

  private byte[] body(Instant now) {
    return events.apply(reportedUntil).stream()
        .map(
            event ->
                new Reported(
                    BigDecimal.valueOf(now.toEpochMilli(), 3),
                    host,
                    report.index(),
                    SOURCETYPE,
                    "duplog",
                    event))
        .map(Json::render)
        .collect(Collectors.joining("\n"))
        .getBytes(UTF_8);
  }

  /** Ends the reporter's thread after the current report, and returns without waiting for it. */
  @Override
  public void close() {
    thread.close();
  }
}
