package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.answer.ReplyBody;
import io.duplog.deliver.hec.event.JsonText;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.observe.Conditions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tests collectors for the doctor, with the same connections and requests as the HEC sink. Not
 * thread-safe.
 */
public final class HecProbe {
  /** Sourcetype of the doctor's canaries, which keeps them apart from messages. */
  public static final String CANARY_SOURCETYPE = "duplog:canary";

  /**
   * A URL's answer to an empty request.
   *
   * @param trouble the URL's failure, or null if events may be sent
   * @param remedy the change needed on either side, or empty if the failure may be temporary
   * @param date the collector's clock, to the second, or null if it did not send one
   * @param took the duration of the empty request on a connection that was already open
   */
  public record Look(
      @Nullable String trouble, String remedy, @Nullable Instant date, Duration took) {}

  /**
   * The outcome of sending a canary.
   *
   * @param trouble the failure, or null if Splunk received the canary
   * @param remedy the change needed, or empty if the failure may be temporary
   * @param received the time until Splunk answered
   * @param acknowledged the time until the indexers had acknowledged the canary, or null if they
   *     did not in time, or were not asked
   */
  public record Canary(
      @Nullable String trouble,
      String remedy,
      Duration received,
      @Nullable Duration acknowledged) {}

  private final HecSinkConfig config;
  private final HecEnvironment environment;

  private HecProbe(HecSinkConfig config, HecEnvironment environment) {
    this.config = config;
    this.environment = environment;
  }

  /**
   * Creates a probe; sends nothing yet.
   *
   * @throws SinkException if a TLS file or a rules file can't be used
   */
  public static HecProbe of(HecSinkConfig config) throws SinkException {
    return new HecProbe(
        config,
        HecEnvironment.ofSystem(config, SinkContext.ofOnly(line -> {}, Conditions.ofSystem())));
  }

  public List<String> urls() {
    return config.baseUrls();
  }

  /** Returns the URL's name for log lines, including its proxy if there is one. */
  public String named(String url) {
    return config.displayName(url);
  }

  public boolean acknowledges() {
    return config.acknowledge();
  }

  /**
   * Returns every index that the configuration names; an empty name means the token's own index.
   */
  public Set<String> indexes() {
    String standard = config.routing().defaults().index();
    return Stream.concat(
            Stream.of(standard == null ? "" : standard),
            Stream.concat(
                environment.routing().rules().stream()
                    .map(RoutingConfig.Rule::set)
                    .filter(Objects::nonNull)
                    .map(RoutingConfig.Metadata::index),
                Stream.of(
                    config.fallbackIndex(),
                    config.report() == null ? null : config.report().index())))
        .filter(Objects::nonNull)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Requests the health page and posts an empty request. That tests the token and the channel, but
   * no index.
   */
  public Look look(String url) {
    Instant date = null;
    long since = System.nanoTime();
    Answer trouble;
    try (Connection connection = environment.connections().apply(url)) {
      LongSupplier wallMillis = environment.wallMillis();
      Reply health = connection.get(EmptyRequest.HEALTH);
      date = AnswerReader.date(health.date());
      trouble = AnswerReader.readHealth(health, wallMillis.getAsLong());
      if (trouble == null) {
        since = System.nanoTime();
        trouble =
            EmptyRequest.of(config, connection, EmptyRequest.newChannelId(config), wallMillis)
                .checkToken();
      }
    } catch (IOException e) {
      trouble = EmptyRequest.unreachable(e);
    } catch (RuntimeException e) {
      trouble = EmptyRequest.failureFrom(e);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - since);
    return trouble == null
        ? new Look(null, "", date, took)
        : new Look(trouble.cause(), trouble.remedy(), date, took);
  }

  /**
   * Sends one event, which Splunk indexes.
   *
   * @param index the event's index, or empty for the token's own
   * @param patience the maximum wait for the indexers' acknowledgement
   */
  public Canary canary(String url, String index, String text, Duration patience) {
    try (Connection connection = environment.connections().apply(url)) {
      String channelId = UUID.randomUUID().toString();
      long since = System.nanoTime();
      byte[] event = event(index, text);
      Answer answer =
          AnswerReader.read(
              connection.post(Connection.Post.ofEvents(event, channelId)),
              System.currentTimeMillis());
      Duration received = Duration.ofNanos(System.nanoTime() - since);
      if (!(answer instanceof Answer.Accepted accepted)) {
        String remedy =
            answer instanceof Answer.WrongIndex
                ? "allow the token to write to the index, or set another index in sink.hec.routing"
                : answer.remedy();
        return new Canary(answer.cause(), remedy, received, null);
      }
      if (!config.acknowledge()) {
        return new Canary(null, "", received, null);
      }
      Long id = accepted.ackId();
      if (id == null) {
        String failure = "accepts the event but gives no acknowledgement id (ackId)";
        String remedy = "turn on indexer acknowledgement for the token";
        return new Canary(failure, remedy, received, null);
      }
      return new Canary(
          null, "", received, awaitAcknowledgement(connection, channelId, id, since, patience));
    } catch (IOException e) {
      return new Canary(EmptyRequest.unreachable(e).cause(), "", Duration.ZERO, null);
    }
  }

  private @Nullable Duration awaitAcknowledgement(
      Connection connection, String channelId, long id, long since, Duration patience)
      throws IOException {
    Connection.Post poll = Connection.Post.ofAckQuery(channelId, String.valueOf(id));
    while (System.nanoTime() - since < patience.toNanos()) {
      Set<Long> acknowledgedIds = ReplyBody.of(connection.post(poll).body()).acknowledgedIds();
      if (acknowledgedIds != null && acknowledgedIds.contains(id)) {
        return Duration.ofNanos(System.nanoTime() - since);
      }
      LockSupport.parkNanos(config.ackPoll().toNanos() / 4);
    }
    return null;
  }

  private static byte[] event(String index, String text) {
    return """
    {"event":%s,"sourcetype":"%s","source":"duplog-doctor"%s}\
    """
        .formatted(
            JsonText.quoted(text),
            CANARY_SOURCETYPE,
            index.isEmpty() ? "" : ",\"index\":" + JsonText.quoted(index))
        .getBytes(UTF_8);
  }
}
