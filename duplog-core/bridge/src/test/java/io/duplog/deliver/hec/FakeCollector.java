package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.deliver.hec.answer.OwnSecrets;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.http.Connection;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Indexes what it gets, unless a test tells it what to do instead. */
final class FakeCollector {

  /** Decides what to do with a request's events. */
  interface Behaviour {
    Reply answer(FakeCollector collector, Connection.Post post) throws IOException;
  }

  /** Behaviours for the next requests with events; {@link #always} follows. */
  final Deque<Behaviour> script = new ArrayDeque<>();

  Behaviour always = FakeCollector::index;
  Reply health = reply(200, 17);
  Reply toNothing = reply(400, 5);
  @Nullable IOException unreachable;

  /** Whether indexers acknowledge. */
  boolean acknowledges;

  /** Behaviour for acknowledgement queries. */
  Behaviour asked = FakeCollector::poll;

  /** The indexers' answer for each of the ids. */
  final Map<Long, Boolean> acks = new HashMap<>();

  long nextAck;
  private boolean atOnce;

  /** Indexed texts, which may be read while a collector with HTTP takes requests. */
  final List<String> indexed = Collections.synchronizedList(new ArrayList<>());

  final List<Connection.Post> posts = new ArrayList<>();
  final List<String> polls = new ArrayList<>();
  int healthChecks;

  FakeCollector(boolean acknowledges) {
    this.acknowledges = acknowledges;
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

  /** Acknowledges whatever it indexes from now on. */
  void alwaysAcknowledges() {
    atOnce = true;
  }

  /** Acknowledges all that it has indexed so far. */
  void acknowledgesAll() {
    acks.replaceAll((id, indexed) -> true);
  }

  /** Gives every request this answer from now on, whatever it asks for. */
  void failsAll(Reply reply) {
    health = reply;
    toNothing = reply;
    always = (collector, post) -> reply;
  }

  /** Ends all failures. */
  void isWell() {
    health = reply(200, 17);
    toNothing = reply(400, 5);
    always = FakeCollector::index;
  }

  /** Indexes events, and answers as a collector does. */
  Reply index(Connection.Post post) {
    add(events(post));
    if (!acknowledges) {
      return reply(200, 0);
    }
    acks.put(nextAck, atOnce);
    return reply(200, "{\"text\":\"Success\",\"code\":0,\"ackId\":" + nextAck++ + "}");
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

  Reply poll(Connection.Post post) {
    String question = new String(post.body(), 0, post.length(), UTF_8);
    polls.add(post.channel() + " " + question);
    if (!acknowledges) {
      return reply(400, 14);
    }
    String answer =
        SteppedSink.ids(post.body()).stream()
            .map(id -> "\"" + id + "\":" + (acks.getOrDefault(id, false) && acks.remove(id)))
            .collect(Collectors.joining(",")); // each is said once
    return reply(200, "{\"acks\":{" + answer + "}}");
  }
}
