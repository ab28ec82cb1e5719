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
 * The model of a collector, as senders in memory meet it. It indexes what it gets, unless it was
 * told what to do instead.
 */
final class FakeCollector {
  private static final String TOKEN = "good";
  private static final String ONE_CHANNEL = "0aeeac95-ac74-4aa9-b30d-6c4c0ac581ba";

  /** What it does with a request's events. */
  interface Behaviour {
    Reply answer(FakeCollector collector, Connection.Post post) throws IOException;
  }

  /** What to do with the next requests with events; then {@link #always}. */
  final Deque<Behaviour> script = new ArrayDeque<>();

  Behaviour always = FakeCollector::index;
  Reply health = reply(200, 17);
  Reply toNothing = reply(400, 5);
  @Nullable IOException unreachable;

  private Collector model;

  /** What it does with questions for acknowledgements. */
  Behaviour asked = FakeCollector::poll;

  private boolean atOnce;

  /** May be read while a collector with HTTP takes requests. */
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

  /** Its indexers acknowledge from now on, or they don't. */
  void hasAcknowledgement(boolean acknowledges) {
    model = model(acknowledges);
  }

  static final OwnSecrets NO_SECRETS = new OwnSecrets(List.of());

  static Reply reply(int status, int code) {
    return reply(status, "{\"text\":\"so\",\"code\":" + code + "}");
  }

  static Reply reply(int status, String json) {
    return new Reply(status, null, null, null, json.getBytes(UTF_8), NO_SECRETS);
  }

  /** Answers so and indexes nothing. */
  static Behaviour says(int status, int code) {
    return (collector, post) -> reply(status, code);
  }

  static Behaviour says(int status, String json) {
    return (collector, post) -> reply(status, json);
  }

  static Behaviour breaks() {
    return (collector, post) -> {
      throw new IOException("Connection reset");
    };
  }

  static Behaviour isNotReached() {
    return (collector, post) -> {
      throw new Connection.UnsentException("Connection refused", null);
    };
  }

  /** From now on acknowledges whatever it indexes. */
  void alwaysAcknowledges() {
    atOnce = true;
  }

  /** Acknowledges all that it has indexed so far. */
  void acknowledgesAll() {
    acknowledgesOnly(id -> true);
  }

  /** Acknowledges these ids of all that it has indexed so far, and no others. */
  void acknowledgesOnly(LongPredicate ids) {
    model.acknowledgements().acknowledge(ids);
  }

  /** Acknowledges what it has given this id to. */
  void acknowledges(long id) {
    model.acknowledgements().acknowledge(ONE_CHANNEL, id);
  }

  /** Begins to count its ids anew, and knows none of those before. */
  void restartsIds(long first) {
    model.acknowledgements().restart(first);
  }

  /** From now on fails every request so, whatever it asks for. */
  void failsAll(Reply reply) {
    health = reply;
    toNothing = reply;
    always = (collector, post) -> reply;
  }

  /** All is well again. */
  void isWell() {
    health = reply(200, 17);
    toNothing = reply(400, 5);
    always = FakeCollector::index;
  }

  /** Indexes, and answers as a collector does. Ids are counted for all channels together. */
  Reply index(Connection.Post post) throws IOException {
    return answer(post, atOnce ? List.of() : List.of(HecFault.AcknowledgeAfter.NEVER));
  }

  private Reply answer(Connection.Post post, List<HecFault> faults) throws IOException {
    String path = post.path().replaceFirst("^.*(?=/services/collector)", "");
    byte[] body = Arrays.copyOf(post.body(), post.length());
    HecReply reply = model.answer(HecRequest.of(path, body, TOKEN, ONE_CHANNEL), faults);
    return reply(reply.status(), reply.body());
  }

  /** Indexes the events before the first that has this text, and complains about that. */
  static Behaviour refuses(String text, int code) {
    return refuses(event -> event.text().equals(text), code);
  }

  /**
   * Indexes the events before the first bad one, and complains about that. Of a wrong index it
   * gives, as Splunk 10.4 does, the number of the event behind.
   */
  static Behaviour refuses(Predicate<Event> bad, int code) {
    return refuses(bad, code, code == 7 ? 1 : 0);
  }

  static Behaviour refuses(Predicate<Event> bad, int code, int behind) {
    return (collector, post) -> {
      List<Event> events = events(post);
      for (int i = 0; i < events.size(); i++) {
        if (bad.test(events.get(i))) {
          collector.add(events.subList(0, i));
          return reply(
              400, "{\"code\":" + code + ",\"invalid-event-number\":" + (i + behind) + "}");
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

  /** Whether the text of one of its events has this in it. */
  static boolean holds(Connection.Post post, String part) {
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
          return asked.answer(FakeCollector.this, post);
        }
        if (post.length() == 0) {
          return toNothing;
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
