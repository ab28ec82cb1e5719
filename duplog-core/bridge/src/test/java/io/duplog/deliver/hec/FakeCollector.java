package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.collector.Collector;
import io.duplog.collector.HecFault;
import io.duplog.collector.HecReply;
import io.duplog.collector.HecRequest;
import io.duplog.collector.HecSettings;
import io.duplog.deliver.hec.answer.OwnSecrets;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.http.Connection;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Simulates Splunk's HTTP Event Collector in memory for tests of the HEC sink. It indexes all
 * events, unless a test sets another behaviour.
 */
final class FakeCollector {
  private static final String TOKEN = "good";
  private static final String ONE_CHANNEL = "0aeeac95-ac74-4aa9-b30d-6c4c0ac581ba";

  /** The reaction to a request. */
  interface Behaviour {
    Reply answer(FakeCollector collector, Connection.Post post) throws IOException;
  }

  /** Behaviours for the next requests with events; afterwards, {@link #always} applies. */
  final Deque<Behaviour> script = new ArrayDeque<>();

  Behaviour always = FakeCollector::index;
  Reply health = reply(200, 17);
  Reply replyToEmpty = reply(400, 5);
  @Nullable IOException unreachable;

  private Collector model;

  /** The reaction to polls for acknowledgements. */
  Behaviour onPoll = FakeCollector::poll;

  private boolean acknowledgesImmediately;

  /** Texts of the indexed events; synchronized, because an {@link HttpCollector} adds to it. */
  final List<String> indexed = Collections.synchronizedList(new ArrayList<>());

  final List<Connection.Post> posts = new ArrayList<>();
  final List<String> polls = new ArrayList<>();
  int healthChecks;

  /**
   * @param acknowledges whether indexers acknowledge
   */
  FakeCollector(boolean acknowledges) {
    this.model = model(acknowledges);
  }

  private Collector model(boolean acknowledges) {
    return new Collector(
        new HecSettings(TOKEN, acknowledges, Set.of(), HecSettings.MAX_BYTES),
        () -> 0,
        events -> events.forEach(event -> indexed.add(event.event())));
  }

  /** Sets whether the indexers acknowledge from now on. */
  void setAcknowledgement(boolean acknowledges) {
    model = model(acknowledges);
  }

  static final OwnSecrets NO_SECRETS = new OwnSecrets(List.of());

  static Reply reply(int status, int code) {
    return reply(status, "{\"text\":\"so\",\"code\":" + code + "}");
  }

  static Reply reply(int status, String json) {
    return new Reply(status, null, null, null, json.getBytes(UTF_8), NO_SECRETS);
  }

  /** Gives this answer and indexes nothing. */
  static Behaviour answers(int status, int code) {
    return (collector, post) -> reply(status, code);
  }

  static Behaviour answers(int status, String json) {
    return (collector, post) -> reply(status, json);
  }

  static Behaviour resetsConnection() {
    return (collector, post) -> {
      throw new IOException("Connection reset");
    };
  }

  static Behaviour refusesConnection() {
    return (collector, post) -> {
      throw new Connection.UnsentException("Connection refused", null);
    };
  }

  /** Acknowledges all events immediately from now on. */
  void acknowledgeAlways() {
    acknowledgesImmediately = true;
  }

  /** Acknowledges all events indexed so far. */
  void acknowledgeAll() {
    acknowledgeOnly(id -> true);
  }

  /** Acknowledges requests indexed so far that have one of these ids. */
  void acknowledgeOnly(LongPredicate ids) {
    model.acknowledgements().acknowledge(ids);
  }

  /** Acknowledges the request with this id. */
  void acknowledge(long id) {
    model.acknowledgements().acknowledge(ONE_CHANNEL, id);
  }

  /** Restarts its ids and forgets the previous ones. */
  void restartIds(long first) {
    model.acknowledgements().restart(first);
  }

  /** Gives this reply to every request from now on. */
  void failAll(Reply reply) {
    health = reply;
    replyToEmpty = reply;
    always = (collector, post) -> reply;
  }

  /** Becomes healthy again. */
  void recover() {
    health = reply(200, 17);
    replyToEmpty = reply(400, 5);
    always = FakeCollector::index;
  }

  /** Indexes events and answers like a collector. All channels share one sequence of ids. */
  Reply index(Connection.Post post) throws IOException {
    return answer(
        post, acknowledgesImmediately ? List.of() : List.of(HecFault.AcknowledgeAfter.NEVER));
  }

  private Reply answer(Connection.Post post, List<HecFault> faults) throws IOException {
    String path = post.path().replaceFirst("^.*(?=/services/collector)", "");
    byte[] body = Arrays.copyOf(post.body(), post.length());
    HecReply reply = model.answer(HecRequest.of(path, body, TOKEN, ONE_CHANNEL), faults);
    return reply(reply.status(), reply.body());
  }

  /** Indexes the events before the first one with this text, and rejects that one. */
  static Behaviour refuses(String text, int code) {
    return refuses(event -> event.text().equals(text), code);
  }

  /**
   * Indexes the events before the first bad one, and rejects that one. For a wrong index it
   * reports, like Splunk 10.4, the number of the next event.
   */
  static Behaviour refuses(Predicate<Event> bad, int code) {
    return refuses(bad, code, code == 7 ? 1 : 0);
  }

  static Behaviour refuses(Predicate<Event> bad, int code, int numberOffset) {
    return (collector, post) -> {
      List<Event> events = events(post);
      for (int i = 0; i < events.size(); i++) {
        if (bad.test(events.get(i))) {
          collector.add(events.subList(0, i));
          return reply(
              400, "{\"code\":" + code + ",\"invalid-event-number\":" + (i + numberOffset) + "}");
        }
      }
      return collector.index(post);
    };
  }

  private void add(List<Event> events) {
    events.forEach(event -> indexed.add(event.text()));
  }

  static List<Event> events(Connection.Post post) {
    return Event.read(post.body(), post.length());
  }

  /** Whether the text of one of the events contains this text. */
  static boolean contains(Connection.Post post, String part) {
    return events(post).stream().anyMatch(event -> event.text().contains(part));
  }

  Connection connect() {
    return new Connection() {
      @Override
      public Reply post(Post post) throws IOException {
        if (unreachable != null) {
          throw unreachable;
        }
        if (post.path().startsWith("/services/collector/ack")) {
          return onPoll.answer(FakeCollector.this, post);
        }
        if (post.length() == 0) {
          return replyToEmpty;
        }
        byte[] body = Arrays.copyOf(post.body(), post.length());
        posts.add(new Post(post.path(), body, body.length, post.compressed(), post.channel()));
        Behaviour next = script.isEmpty() ? always : script.remove();
        return next.answer(FakeCollector.this, post);
      }

      @Override
      public Reply get(String path) throws IOException {
        healthChecks++;
        if (unreachable != null) {
          throw unreachable;
        }
        return health;
      }

      @Override
      public void close() {}
    };
  }

  Reply poll(Connection.Post post) throws IOException {
    polls.add(post.channel() + " " + new String(post.body(), 0, post.length(), UTF_8));
    return answer(post, List.of());
  }
}
