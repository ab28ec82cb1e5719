package io.duplog.deliver.hec;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import io.duplog.deliver.Payload;
import io.duplog.deliver.hec.event.Body;
import io.duplog.deliver.hec.event.Encoder;
import io.duplog.deliver.hec.event.EventEncoder;
import io.duplog.deliver.hec.event.RawEncoder;
import io.duplog.deliver.hec.http.ProxyConfig;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.tls.TlsConfig;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code sink.hec}, which says how to send events to Splunk's HTTP Event
 * Collector.
 */
public record HecSinkConfig(
    @Key(
            doc =
                "The collectors' URLs, http or https, with a path only if a proxy needs one. All"
                    + " are used at the same time. URLs that fail, or are much slower than others,"
                    + " are left out until they recover.",
            example = "https://splunk.example.com:8088")
        List<String> urls,
    @Key(
            doc =
                "The collector's token; prefer ${env:NAME} or ${file:/path} to the literal token.",
            example = "${file:/etc/duplog/hec.token}")
        Secret token,
    @Key(
            doc =
                "event: each message has its own time, host and fields. raw: plain lines with one"
                    + " set of metadata per request. Splunk then finds the time in the text. raw"
                    + " needs more requests, and does not mark messages that bypassed"
                    + " deduplication or are resent.",
            defaultValue = "event")
        Endpoints endpoint,
    @Key(doc = "How requests are compressed.", defaultValue = "none") Compression compression,
    @Key(doc = "Maximum number of events in a request.", defaultValue = "5000", unit = "events")
        int maxEvents,
    @Key(
            doc = "Maximum size of a request before compression. A larger event is sent alone.",
            defaultValue = "1000000B")
        ByteSize maxBytes,
    @Key(
            doc =
                "How long a message may wait for others to fill its request while another request"
                    + " is in flight. If none is in flight, the message is sent immediately.",
            defaultValue = "20ms")
        Duration linger,
    @Key(
            doc = "Maximum number of requests in flight to each URL, each on its own connection.",
            defaultValue = "4",
            unit = "requests")
        int requestsPerUrl,
    @Key(doc = "Maximum time to connect.", defaultValue = "2s") Duration connectTimeout,
    @Key(
            doc =
                "Maximum time until a request's answer is complete. After that, the request is"
                    + " resent on another connection.",
            defaultValue = "10s")
        Duration requestTimeout,
    @Key(
            doc = "Minimum pause before a failed URL is retried. Pauses grow and are jittered.",
            defaultValue = "250ms")
        Duration retryMin,
    @Key(doc = "Maximum pause, unless the URL asks for a longer one.", defaultValue = "10s")
        Duration retryMax,
    @Key(
            doc =
                "Whether messages count as delivered only once the indexers have acknowledged"
                    + " them. Indexer acknowledgement must be turned on for the token.",
            defaultValue = "false")
        boolean acknowledge,
    @Key(doc = "Interval of polls for acknowledgements.", defaultValue = "1s") Duration ackPoll,
    @Key(
            doc =
                "How long to wait for an acknowledgement before the request is resent. Resent"
                    + " events are marked and may be duplicates. Indexers with little load may take"
                    + " two minutes.",
            defaultValue = "150s")
        Duration ackTimeout,
    @Key(
            doc = "Maximum number of requests of a connection that await acknowledgement.",
            defaultValue = "64",
            unit = "requests")
        int ackPending,
    @Key(
            doc =
                "Index for events if Splunk does not know or allow their own index. Without it,"
                    + " they go to the dead-letter queue.",
            example = "main")
        @Nullable String fallbackIndex,
    @Key(
            doc =
                "Events about the bridge itself, for the dashboards and alerts of Duplog's app for"
                    + " Splunk. None are sent without this section.",
            whereWanted = true)
        @Nullable Report report,
    @Key(doc = "TLS settings for https.") TlsConfig tls,
    @Key(doc = "A proxy in front of all URLs.") ProxyConfig proxy,
    @Key(doc = "Rules for the metadata of events.") RoutingConfig routing) {
  private static final ByteSize MIN_REQUEST = new ByteSize(1 << 10);
  private static final ByteSize MAX_REQUEST = new ByteSize(64 << 20);

  /**
   * Maximum of {@code ack-pending}, so that an answer about all ids fits into the bytes that are
   * read.
   */
  private static final int MAX_PENDING = 1000;

  /** The endpoint of the collector to which messages are posted. */
  public enum Endpoints {
    EVENT,
    RAW
  }

  /** The compression of requests. */
  public enum Compression {
    NONE,
    GZIP
  }

  /** The configuration section {@code sink.hec.report}, for events about the bridge itself. */
  public record Report(
      @Key(
              doc = "Index for these events. The token must be allowed to write to it.",
              example = "duplog")
          String index,
      @Key(
              doc =
                  "Interval of these events, 10s to 2m; an alert fires after five minutes without"
                      + " any. A failed report is not resent; the next one repeats its content.",
              defaultValue = "1m")
          Duration every) {
    public Report {
      Checks.notBlank("index", index);
      if (every.compareTo(Duration.ofSeconds(10)) < 0
          || every.compareTo(Duration.ofMinutes(2)) > 0) {
        throw Checks.refuse("every", "must be 10s to 2m");
      }
    }
  }

  public HecSinkConfig {
    Checks.distinctNames("urls", urls);
    urls.forEach(url -> Checks.url("urls", url, "https://host:8088", "https", "http"));
    boolean hasHttp = urls.stream().anyMatch(url -> url.startsWith("http:"));
    if (hasHttp && (tls.ca() != null || tls.certificate() != null)) {
      throw Checks.refuse(
          "urls", "must all be https if tls is set, because http would expose the token");
    }
    if (!token.reveal().matches("[\\x21-\\x7e]+")) {
      throw Checks.refuse("token", "must be printable characters without spaces");
    }
    Checks.within("max-events", maxEvents, 1, 1_000_000);
    Checks.within("max-bytes", maxBytes, MIN_REQUEST, MAX_REQUEST);
    Checks.positive("linger", linger);
    Checks.within("requests-per-url", requestsPerUrl, 1, 64);
    Checks.positive("connect-timeout", connectTimeout);
    Checks.positive("request-timeout", requestTimeout);
    Checks.positive("retry-min", retryMin);
    if (retryMax.compareTo(retryMin) < 0) {
      throw Checks.refuse("retry-max", "must not be shorter than retry-min");
    }
    Checks.positive("ack-poll", ackPoll);
    if (ackTimeout.compareTo(ackPoll) < 0) {
      throw Checks.refuse("ack-timeout", "must not be shorter than ack-poll");
    }
    Checks.within("ack-pending", ackPending, 1, MAX_PENDING);
    if (fallbackIndex != null) {
      Checks.notBlank("fallback-index", fallbackIndex);
    }
  }

  /** Returns a new encoder for the configured endpoint; each thread needs its own encoder. */
  Encoder encoder(Routing rules) {
    return switch (endpoint) {
      case EVENT -> new EventEncoder(rules, fallbackIndex);
      case RAW -> new RawEncoder(rules, fallbackIndex);
    };
  }

  /** Returns a function that encodes a single message as in a request. Not thread-safe. */
  public Payload payload(Routing rules) {
    Encoder encoder = encoder(rules);
    Body body = new Body(0);
    return (delivery, message) -> {
      body.clear();
      encoder.begin();
      encoder.add(delivery, message, false, body);
      return Arrays.copyOf(body.bytes(), body.length() - 1);
    };
  }

  /** Whether at least one URL is https. */
  boolean isEncrypted() {
    return urls.stream().anyMatch(url -> url.startsWith("https:"));
  }

  /** Returns the proxy in front of a URL, or null if there is none. */
  ProxyConfig.@Nullable Hop hop(String url) {
    return proxy.hop(URI.create(url), System.getenv());
  }

  /** Returns the URL's name for log lines, including its proxy if there is one. */
  String displayName(String url) {
    ProxyConfig.Hop hop = hop(url);
    return hop == null ? url : url + " via " + hop;
  }

  /** Returns the URLs without {@code /services/collector…} and without slashes at the end. */
  List<String> baseUrls() {
    return urls.stream()
        .map(url -> url.replaceFirst("(/services/collector(/event|/raw)?)?/*$", ""))
        .toList();
  }
}
