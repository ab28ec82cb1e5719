package io.duplog.deliver.hec;

import io.duplog.deliver.hec.event.Encoder;
import io.duplog.deliver.hec.event.EventEncoder;
import io.duplog.deliver.hec.event.Gzip;
import io.duplog.deliver.hec.event.Metadata;
import io.duplog.deliver.hec.event.RawEncoder;
import io.duplog.deliver.route.Router;
import io.duplog.deliver.route.SyslogHeader;
import io.duplog.observe.Backoff;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Puts senders together, as the configuration says. */
final class HecSenders {
  /** Messages wait so long behind several poison ones that came together. */
  private static final long LONGEST_REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final int RESTS_OVER_PAUSES = 30;

  private final HecSinkConfig config;
  private final HecSink.Environment environment;
  private final SendQueue queue;
  private final AnswerCounts answers;
  private final Router router;

  /**
   * @param answers counts the answers of all senders
   */
  HecSenders(
      HecSinkConfig config,
      HecSink.Environment environment,
      SendQueue queue,
      AnswerCounts answers) {
    this.answers = answers;
    this.config = config;
    this.router = new Router(config.routing());
    this.environment = environment;
    this.queue = queue;
  }

  static PoisonIsolation isolation(HecSinkConfig config, HecSink.Environment environment) {
    long first = config.retryMin().toNanos();
    long longest = config.retryMax().toNanos();
    RandomGenerator random = environment.random();
    return new PoisonIsolation(
        first,
        longest,
        Math.max(1, config.urls().size() * config.requestsPerUrl() / 2),
        new Backoff(first, longest, random),
        new Backoff(longest, RESTS_OVER_PAUSES * longest, random),
        new ControlEvents(environment.wallMillis()),
        environment.nanoClock());
  }

  Endpoint endpoint(String url) {
    return new Endpoint(
        "sink hec " + url,
        new Endpoint.Pauses(
            backoff(),
            backoff(),
            // A trial takes ack-timeout itself, and costs duplicates.
            new Backoff(
                config.ackTimeout().toNanos() / 4,
                config.ackTimeout().toNanos() * 5,
                environment.random()),
            new Backoff(
                config.retryMin().toNanos(),
                Math.min(config.retryMax().toNanos(), LONGEST_REFUSAL_NANOS),
                environment.random()),
            seconds(config.retryMin()) + "-" + seconds(config.retryMax()) + " s"),
        queue::wakeAll,
        environment.nanoClock());
  }

  private static String seconds(Duration duration) {
    return String.valueOf(duration.toMillis() / 1000.0).replaceFirst("\\.0$", "");
  }

  private Backoff backoff() {
    return new Backoff(
        config.retryMin().toNanos(), config.retryMax().toNanos(), environment.random());
  }

  HecSender sender(String url, Endpoint endpoint) {
    Connection connection = environment.connections().apply(url);
    Metadata metadata = new Metadata(new SyslogHeader(config.routing().timeZone().id()), router);
    @Nullable String fallbackIndex = config.fallbackIndex();
    Encoder encoder =
        switch (config.endpoint()) {
          case EVENT -> new EventEncoder(metadata, fallbackIndex);
          case RAW -> new RawEncoder(metadata, fallbackIndex);
        };
    Gzip gzip =
        switch (config.compression()) {
          case NONE -> null;
          case GZIP -> new Gzip();
        };
    Channels channels =
        config.acknowledge()
            ? new Channels(
                connection,
                HecSenders::newId,
                config.ackPending(),
                config.ackPoll().toNanos(),
                config.ackTimeout().toNanos())
            : null;
    return new HecSender(
        new HecSenderParts(
            endpoint,
            queue,
            answers,
            connection,
            new Request(encoder, config.maxBytes().toIntExact()),
            new ResponseHandler(!config.acknowledge(), fallbackIndex != null),
            backoff(),
            gzip,
            channels,
            config.endpoint() == HecSinkConfig.Endpoints.RAW ? newId() : null),
        environment.nanoClock(),
        environment.wallMillis());
  }

  private static String newId() {
    return UUID.randomUUID().toString();
  }
}
