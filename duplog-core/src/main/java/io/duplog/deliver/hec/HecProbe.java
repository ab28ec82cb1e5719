package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.answer.ReplyBody;
import io.duplog.deliver.hec.event.JsonText;
import io.duplog.deliver.hec.http.Connection;
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

/** Asks collectors how they are, in the sink's own way. For one thread. */
public final class HecProbe {
  /** Marks what a doctor has sent, so that nobody takes it for a message. */
  public static final String CANARY_SOURCETYPE = "duplog:canary";

  /**
   * What a URL said to a request without events.
   *
   * @param trouble what is in the way; null where events may be sent
   * @param remedy what to change on either side; empty where it may pass by itself
   * @param date its clock, to the second; null where it did not say
   * @param took one exchange, of a connection that was open
   */
  public record Look(
      @Nullable String trouble, String remedy, @Nullable Instant date, Duration took) {}

  /**
   * What became of a canary.
   *
   * @param trouble as above; null where it was received
   * @param received how long that took
   * @param acknowledged how long until the indexers had acknowledged it; null where they have not,
   *     or weren't asked
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
   * Sends nothing yet.
   *
   * @throws SinkException where a file for TLS, or of rules, can't be used
   */
  public static HecProbe of(HecSinkConfig config) throws SinkException {
    return new HecProbe(config, HecEnvironment.ofSystem(config));
  }

  public List<String> urls() {
    return config.bases();
  }

  /** How lines call a URL: with the proxy on the way. */
  public String named(String url) {
    return config.named(url);
  }

  public boolean acknowledges() {
    return config.acknowledge();
  }

  /** Every index that the configuration names; the token's own is the empty one. */
  public Set<String> indexes() {
    String standard = config.routing().defaults().index();
    return Stream.concat(
            Stream.of(standard == null ? "" : standard),
            Stream.concat(
                environment.routing().rules().stream().map(rule -> rule.set().index()),
                Stream.of(
                    config.fallbackIndex(),
                    config.report() == null ? null : config.report().index())))
        .filter(Objects::nonNull)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Asks for the health page, and posts nothing: token and channel are judged, no index. */
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
            EmptyRequest.of(config, connection, EmptyRequest.channel(config), wallMillis).trial();
      }
    } catch (IOException e) {
      trouble = EmptyRequest.unreachable(e);
    } catch (RuntimeException e) {
      trouble = EmptyRequest.defect(e);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - since);
    return trouble == null
        ? new Look(null, "", date, took)
        : new Look(trouble.cause(), trouble.remedy(), date, took);
  }

  /**
   * Sends one event, which is in Splunk then.
   *
   * @param index empty for the token's own
   * @param patience how long to wait for the indexers' acknowledgement
   */
  public Canary canary(String url, String index, String text, Duration patience) {
    try (Connection connection = environment.connections().apply(url)) {
      String channel = UUID.randomUUID().toString();
      long since = System.nanoTime();
      byte[] event = event(index, text);
      Answer answer =
          AnswerReader.read(
              connection.post(Connection.Post.ofEvents(event, channel)),
              System.currentTimeMillis());
      Duration received = Duration.ofNanos(System.nanoTime() - since);
      if (!(answer instanceof Answer.Accepted accepted)) {
        String remedy =
            answer instanceof Answer.WrongIndex
                ? "allow the index for the token in Splunk, or name another one in sink.hec.routing"
                : answer.remedy();
        return new Canary(answer.cause(), remedy, received, null);
      }
      if (!config.acknowledge()) {
        return new Canary(null, "", received, null);
      }
      Long id = accepted.ackId();
      if (id == null) {
        String without = "received the event and gave no id to ask for its acknowledgement with";
        String remedy = "turn on indexer acknowledgement for the token";
        return new Canary(without, remedy, received, null);
      }
      return new Canary(null, "", received, acknowledged(connection, channel, id, since, patience));
    } catch (IOException e) {
      return new Canary(EmptyRequest.unreachable(e).cause(), "", Duration.ZERO, null);
    }
  }

  private @Nullable Duration acknowledged(
      Connection connection, String channel, long id, long since, Duration patience)
      throws IOException {
    Connection.Post poll = Connection.Post.ofAckQuery(channel, String.valueOf(id));
    while (System.nanoTime() - since < patience.toNanos()) {
      Set<Long> indexed = ReplyBody.of(connection.post(poll).body()).indexed();
      if (indexed != null && indexed.contains(id)) {
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
