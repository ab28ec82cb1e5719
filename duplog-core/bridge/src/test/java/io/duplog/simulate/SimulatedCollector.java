package io.duplog.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.duplog.collector.Collector;
import io.duplog.collector.HecCode;
import io.duplog.collector.HecEvent;
import io.duplog.collector.HecFault;
import io.duplog.collector.HecReply;
import io.duplog.collector.HecRequest;
import io.duplog.collector.HecSettings;
import io.duplog.deliver.hec.SteppedSink.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Simulates Splunk's HTTP Event Collector behind one URL, with two indexers and any proxy before
 * it.
 */
final class SimulatedCollector {
  private static final String TOKEN = "t";
  private static final String BLANK = "[blank message";

  private final World world;

  /** The indexers. The second one takes part only if a load balancer is at fault. */
  private final Collector first;

  private final Collector second;

  /** The bridge whose request is being answered; changes with each request. */
  private @Nullable SimulatedBridge client;

  private int requests;
  private @Nullable Fault mood;
  private int misconfiguration;
  private Poison lastPoison = Poison.NONE;

  SimulatedCollector(World world) {
    this.world = world;
    this.first = indexer();
    this.second = indexer();
  }

  private Collector indexer() {
    HecSettings settings =
        new HecSettings(TOKEN, world.scenario.acknowledge, Set.of(), HecSettings.MAX_BYTES);
    return new Collector(settings, world.timeline::nanos, events -> events.forEach(this::index));
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
    HecRequest request = HecRequest.of(path, body, TOKEN, channel);
    Answer answer = events ? take(client, request) : answer(client, request, List.of());
    client.sleep(world.latency());
    return answer;
  }

  private Answer answer(SimulatedBridge asking, HecRequest request, List<HecFault> faults)
      throws IOException {
    boolean goesToTheSecond = mood == Fault.ACKNOWLEDGEMENT_OF_ANOTHER && requests++ % 2 == 1;
    client = asking;
    return carried((goesToTheSecond ? second : first).answer(request, faults));
  }

  private static Answer carried(HecReply reply) {
    return json(reply.status(), reply.body());
  }

  private static Answer json(int status, String body) {
    return new Answer(status, null, body.getBytes(UTF_8));
  }

  private static Answer page(int status) {
    return json(status, "<html>no</html>");
  }

  /** Returns a proxy's answer whose body the JDK's client does not return. */
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
      case COLLECTOR_BUSY -> carried(HecReply.of(HecCode.SERVER_BUSY));
      case INDEX_BUSY -> events ? carried(HecReply.of(HecCode.SERVER_BUSY)) : null;
      case COLLECTOR_SHEDS ->
          new Answer(429, String.valueOf(1 + world.random.nextInt(3)), new byte[0]);
      case COLLECTOR_MISCONFIGURED -> misconfigured();
      default -> null;
    };
  }

  private Answer misconfigured() {
    return switch (misconfiguration) {
      case 0 -> carried(HecReply.of(HecCode.TOKEN_REQUIRED));
      case 1 -> carried(HecReply.of(HecCode.INVALID_TOKEN));
      case 2 -> page(404);
      case 3 -> page(302);
      case 4 -> page(200);
      default -> bodiless();
    };
  }

  private Answer take(SimulatedBridge asking, HecRequest request) throws IOException {
    List<HecFault> faults = new ArrayList<>();
    faults.add(new HecFault.RefuseText(Poison.INVALID.mark(), HecCode.INVALID_DATA_FORMAT));
    if (world.has(Defect.BLANKS_ARE_REFUSED)) {
      faults.add(new HecFault.RefuseText(BLANK, HecCode.INVALID_DATA_FORMAT));
    }
    for (String text : request.texts()) {
      boolean refusedBlank = world.has(Defect.BLANKS_ARE_REFUSED) && text.startsWith(BLANK);
      Poison poison = refusedBlank ? Poison.INVALID : Poison.in(text);
      if (poison == Poison.INVALID) {
        return answer(asking, request, faults);
      }
      lastPoison = poison;
      if (poison != Poison.NONE) {
        return poisoned(asking, poison);
      }
    }
    if (mood == Fault.ANSWER_LOST) {
      answer(asking, request, faults);
      return halfAnswered(asking);
    }
    faults.add(acknowledgement());
    return answer(asking, request, faults);
  }

  private HecFault.AcknowledgeAfter acknowledgement() {
    if (mood == Fault.INDEXER_CRASHES || mood == Fault.ACKNOWLEDGEMENT_LOST) {
      return HecFault.AcknowledgeAfter.NEVER;
    }
    int millis = mood == Fault.ACKNOWLEDGEMENT_LATE ? 3_000 : 10;
    return new HecFault.AcknowledgeAfter(Duration.ofMillis(millis + world.random.nextInt(millis)));
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

  private void index(HecEvent event) {
    if (mood != Fault.INDEXER_CRASHES) {
      String text = event.event();
      int end = text.length() - (world.has(Defect.EVENTS_ARE_CUT) ? 1 : 0);
      world.arrivals.indexed(requireNonNull(client), text.substring(0, end), event.host());
    }
  }
}
