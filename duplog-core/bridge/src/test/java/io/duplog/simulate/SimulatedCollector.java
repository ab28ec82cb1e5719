package io.duplog.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.duplog.deliver.hec.SteppedSink;
import io.duplog.deliver.hec.SteppedSink.Answer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Simulates an HTTP Event Collector at one URL, and any proxy before it. */
final class SimulatedCollector {
  private static final long NEVER = Long.MAX_VALUE;
  private static final String BUSY = "{\"text\":\"Server is busy\",\"code\":9}";

  private final World world;

  /** Time from which on an id is acknowledged, by channel and indexer. */
  private final Map<String, Map<Long, Long>> acknowledgements = new LinkedHashMap<>();

  private final Map<String, Long> nextIds = new LinkedHashMap<>();
  private int requests;
  private @Nullable Fault mood;
  private int misconfiguration;
  private Poison lastPoison = Poison.NONE;

  SimulatedCollector(World world) {
    this.world = world;
  }

  void be(@Nullable Fault newMood) {
    mood = newMood;
    misconfiguration = world.random.nextInt(6);
  }

  Answer ask(SimulatedBridge client, String path, byte @Nullable [] body, @Nullable String channel)
      throws IOException {
    if (body != null) {
      client.wakeLanes(); // others may send meanwhile
    }
    client.sleep(world.latency());
    boolean events = body != null && body.length > 0 && !path.contains("/ack");
    Answer refusal = refusal(client, events);
    if (refusal != null) {
      return refusal;
    }
    if (!events && lastPoison != Poison.NONE && world.has(Defect.POISON_IS_TAKEN_FOR_AN_OUTAGE)) {
      return poisoned(client, lastPoison);
    }
    Answer answer;
    if (body == null) {
      answer = json(200, "{\"text\":\"HEC is healthy\",\"code\":17}");
    } else if (path.contains("/ack")) {
      answer = acknowledged(channel, SteppedSink.ids(body));
    } else if (body.length == 0) {
      answer = json(400, "{\"text\":\"No data\",\"code\":5}");
    } else {
      answer = take(client, SteppedSink.events(body), channel);
    }
    client.sleep(world.latency());
    return answer;
  }

  private static Answer json(int status, String body) {
    return new Answer(status, null, body.getBytes(UTF_8));
  }

  private static Answer page(int status) {
    return json(status, "<html>no</html>");
  }

  /** Returns a proxy's answer, of which the JDK's client gives no body. */
  private Answer bodiless() {
    if (world.has(Defect.MISSING_BODY_IS_READ)) {
      throw new InternalError(new NullPointerException("body")); // what no sender catches
    }
    return new Answer(407, null, null);
  }

  private IOException silence(SimulatedBridge client) {
    client.sleep(world.scenario.requestTimeoutNanos);
    return new IOException("no answer in time");
  }

  /** Returns the answer to a request regardless of its content; null if the content matters. */
  private @Nullable Answer refusal(SimulatedBridge client, boolean events) throws IOException {
    if (mood == null) {
      return null;
    }
    return switch (mood) {
      case COLLECTOR_REFUSES -> throw new IOException("Connection refused");
      case COLLECTOR_RESETS -> throw new IOException("Connection reset");
      case COLLECTOR_SILENT -> throw silence(client);
      case COLLECTOR_SLOW -> {
        client.sleep(TimeUnit.MILLISECONDS.toNanos(50 + world.random.nextInt(800)));
        yield null;
      }
      case COLLECTOR_BUSY -> json(503, BUSY);
      case INDEX_BUSY -> events ? json(503, BUSY) : null;
      case COLLECTOR_SHEDS ->
          new Answer(429, String.valueOf(1 + world.random.nextInt(3)), new byte[0]);
      case COLLECTOR_MISCONFIGURED -> misconfigured();
      default -> null;
    };
  }

  private Answer misconfigured() {
    return switch (misconfiguration) {
      case 0 -> json(401, "{\"text\":\"Token is required\",\"code\":2}");
      case 1 -> json(403, "{\"text\":\"Invalid token\",\"code\":4}");
      case 2 -> page(404);
      case 3 -> page(302);
      case 4 -> page(200);
      default -> bodiless();
    };
  }

  private Answer take(
      SimulatedBridge client, List<Map<String, String>> events, @Nullable String channel)
      throws IOException {
    for (int i = 0; i < events.size(); i++) {
      String text = events.get(i).get("event");
      boolean refusedBlank =
          world.has(Defect.BLANKS_ARE_REFUSED) && text.startsWith("[blank message");
      Poison poison = refusedBlank ? Poison.INVALID : Poison.in(text);
      if (poison == Poison.INVALID) {
        events.subList(0, i).forEach(event -> index(client, event));
        return json(400, "{\"text\":\"Invalid\",\"code\":6,\"invalid-event-number\":" + i + "}");
      }
      lastPoison = poison;
      if (poison != Poison.NONE) {
        return poisoned(client, poison);
      }
    }
    if (mood == Fault.INDEXER_CRASHES) {
      return received(channel, NEVER);
    }
    events.forEach(event -> index(client, event));
    long now = world.timeline.nanos();
    if (mood == Fault.ANSWER_LOST) {
      return halfAnswered(client);
    }
    if (mood == Fault.ACKNOWLEDGEMENT_LOST) {
      return received(channel, NEVER);
    }
    long delay = mood == Fault.ACKNOWLEDGEMENT_LATE ? 3_000 : 10;
    return received(
        channel, now + TimeUnit.MILLISECONDS.toNanos(delay + world.random.nextInt((int) delay)));
  }

  private Answer poisoned(SimulatedBridge client, Poison poison) throws IOException {
    return switch (poison) {
      case FORBIDDEN -> page(403);
      case BUSY -> page(503);
      case BODILESS -> bodiless();
      case RESET -> throw new IOException("Connection reset");
      case CUT -> throw new IOException("the answer is cut short");
      case SILENT -> throw silence(client);
      case NONE, INVALID -> throw new AssertionError(poison);
    };
  }

  private Answer halfAnswered(SimulatedBridge client) throws IOException {
    return switch (world.random.nextInt(3)) {
      case 0 -> throw new IOException("Connection reset");
      case 1 -> throw silence(client);
      default -> json(200, "{\"text\":\"Succ");
    };
  }

  private void index(SimulatedBridge client, Map<String, String> event) {
    String text = event.get("event");
    int end = text.length() - (world.has(Defect.EVENTS_ARE_CUT) ? 1 : 0);
    world.arrivals.indexed(client, text.substring(0, end), event.get("host"));
  }

  private String indexer(@Nullable String channel) {
    boolean second = mood == Fault.ACKNOWLEDGEMENT_OF_ANOTHER && requests++ % 2 == 1;
    return channel + (second ? " second" : "");
  }

  private Answer received(@Nullable String channel, long acknowledgedAt) {
    if (!world.scenario.acknowledge) {
      return json(200, "{\"text\":\"Success\",\"code\":0}");
    }
    String indexer = indexer(channel);
    long id = nextIds.merge(indexer, 1L, Long::sum) - 1;
    acknowledgements
        .computeIfAbsent(indexer, none -> new LinkedHashMap<>())
        .put(id, acknowledgedAt);
    return json(200, "{\"text\":\"Success\",\"code\":0,\"ackId\":" + id + "}");
  }

  private Answer acknowledged(@Nullable String channel, List<Long> ids) {
    if (!world.scenario.acknowledge) {
      return json(400, "{\"text\":\"ACK is disabled\",\"code\":14}");
    }
    Map<Long, Long> known = acknowledgements.getOrDefault(indexer(channel), new LinkedHashMap<>());
    return json(
        200,
        ids.stream()
            .map(id -> "\"" + id + "\":" + isIndexed(known, id))
            .collect(joining(",", "{\"acks\":{", "}}")));
  }

  /** Whether an id is acknowledged, which is told only once. */
  private boolean isIndexed(Map<Long, Long> known, long id) {
    Long at = known.get(id);
    return at != null && at <= world.timeline.nanos() && known.remove(id) != null;
  }
}
