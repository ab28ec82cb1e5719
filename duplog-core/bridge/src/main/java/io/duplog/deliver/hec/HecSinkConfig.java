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

/** The configuration section {@code sink.hec}. */
public record HecSinkConfig(
    @Key(
            doc =
                "The collectors' URLs, http or https, with a path only where a proxy wants one."
                    + " All are used at once; those that fail, or are much slower than others, are"
                    + " left out until they are well again.",
            example = "https://splunk.example.com:8088")
        List<String> urls,
    @Key(
            doc = "The collector's token: better as ${env:NAME} or ${file:/path} than literally.",
            example = "12345678-90ab-cdef-1234-567890abcdef")
        Secret token,
    @Key(
            doc =
                "event: every message with its own time, host and fields. raw: bare lines, one set"
                    + " of metadata a request, from whose text Splunk finds the time; needs more"
                    + " requests, and does not mark what bypassed deduplication or is sent again.",
            defaultValue = "event")
        Endpoints endpoint,
    @Key(doc = "How requests are compressed.", defaultValue = "none") Compression compression,
    @Key(doc = "Most events of a request.", defaultValue = "5000", unit = "events") int maxEvents,
    @Key(
            doc =
                "Largest request before compression. A single event that is larger travels alone.",
            defaultValue = "1000000B")
        ByteSize maxBytes,
    @Key(
            doc =
                "How long a message may wait for others to fill its request, while another request"
                    + " is under way. When none is, it leaves at once.",
            defaultValue = "20ms")
        Duration linger,
    @Key(
            doc = "Requests that are under way to each URL at most, each on its own connection.",
            defaultValue = "4",
            unit = "requests")
        int requestsPerUrl,
    @Key(doc = "How long connecting may take.", defaultValue = "2s") Duration connectTimeout,
    @Key(
            doc =
                "How long a request may take until its answer is complete. After that it is sent"
                    + " again on another connection.",
            defaultValue = "10s")
        Duration requestTimeout,
    @Key(
            doc = "Shortest pause before a failed URL is tried again; they grow and are jittered.",
            defaultValue = "250ms")
        Duration retryMin,
    @Key(doc = "Longest pause, unless the URL asks for a longer one.", defaultValue = "10s")
        Duration retryMax,
    @Key(
            doc =
                "Whether messages count as delivered only when the indexers have acknowledged"
                    + " them. The token must have indexer acknowledgement turned on.",
            defaultValue = "false")
        boolean acknowledge,
    @Key(doc = "How often to ask for acknowledgements.", defaultValue = "1s") Duration ackPoll,
    @Key(
            doc =
                "How long to wait for an acknowledgement before the request is sent again, marked,"
                    + " which can cost duplicates. Indexers with little to do may take two"
                    + " minutes.",
            defaultValue = "150s")
        Duration ackTimeout,
    @Key(
            doc = "Requests of one connection that may be waiting for their acknowledgement.",
            defaultValue = "64",
            unit = "requests")
        int ackPending,
    @Key(
            doc =
                "Index for events whose own index Splunk does not know or allow. Without one they"
                    + " go to the dead-letter queue.",
            example = "main")
        @Nullable String fallbackIndex,
    @Key(
            doc =
                "Events about the bridge itself, for the dashboards and alerts of Duplog's app for"
                    + " Splunk: none are sent unless this section is there.",
            whereWanted = true)
        @Nullable Report report,
    @Key(doc = "For https.") TlsConfig tls,
    @Key(doc = "A proxy on the way to all URLs.") ProxyConfig proxy,
    @Key(doc = "Which metadata the events get.") RoutingConfig routing) {
  private static final ByteSize SMALLEST_REQUEST = new ByteSize(1 << 10);
  private static final ByteSize LARGEST_REQUEST = new ByteSize(64 << 20);

  /**
   * Limit of {@code ack-pending}, so that an answer about all ids fits into the bytes that are
   * read.
   */
  private static final int MOST_PENDING = 1000;

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

  /** The configuration section {@code sink.hec.report}, about events on the bridge itself. */
  public record Report(
      @Key(doc = "Index for them. The token must be allowed to write there.", example = "duplog")
          String index,
      @Key(
              doc =
                  "How often they are sent, 10s to 2m: an alert fires after five minutes without."
                      + " What fails is not sent again; the next ones tell the same anew.",
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
    boolean plain = urls.stream().anyMatch(url -> url.startsWith("http:"));
    if (plain && (tls.ca() != null || tls.certificate() != null)) {
      throw Checks.refuse("urls", "must all be https where tls is set: http would show the token");
    }
    if (!token.reveal().matches("[\\x21-\\x7e]+")) {
      throw Checks.refuse("token", "must be printable characters without spaces");
    }
    Checks.within("max-events", maxEvents, 1, 1_000_000);
    Checks.within("max-bytes", maxBytes, SMALLEST_REQUEST, LARGEST_REQUEST);
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
    Checks.within("ack-pending", ackPending, 1, MOST_PENDING);
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

  /**
   * Returns a function that encodes a single message as a request would hold it; for one thread.
   */
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

  /** Returns the proxy through which a URL is reached; null if it is reached directly. */
  ProxyConfig.@Nullable Hop hop(String url) {
    return proxy.hop(URI.create(url), System.getenv());
  }

  /** Returns the URL's name for log lines, including the proxy in front of it. */
  String named(String url) {
    ProxyConfig.Hop hop = hop(url);
    return hop == null ? url : url + " by " + hop;
  }

  /** Returns the URLs without {@code /services/collector…} and without slashes at the end. */
  List<String> bases() {
    return urls.stream()
        .map(url -> url.replaceFirst("(/services/collector(/event|/raw)?)?/*$", ""))
        .toList();
  }
}
