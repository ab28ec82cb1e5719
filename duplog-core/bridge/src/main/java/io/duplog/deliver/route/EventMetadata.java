package io.duplog.deliver.route;

import com.google.common.base.Ascii;
import io.duplog.deliver.syslog.Address;
import io.duplog.deliver.syslog.SyslogHeader;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Determines a message's metadata for Splunk: its time, its host, and the sourcetype and index that
 * the routing rules give it. Each thread has one instance, which handles all its messages. Not
 * thread-safe.
 */
public final class EventMetadata {

  /** The source of an event's host, if the route does not fix the host. */
  public enum HostOrigin {
    MESSAGE,
    SENDER,
    TABLE
  }

  /**
   * The header values that rules test. A value is null if the message's header does not have it.
   */
  public record HeaderValues(
      @Nullable String host,
      @Nullable String program,
      @Nullable Facility facility,
      @Nullable String severity) {}

  /** Maximum number of cached routes of events, because clients may make metadata up. */
  private static final int MAX_EVENT_ROUTES = 4_096;

  /** What decides the route of an event: the route by the rules, and the event's own metadata. */
  private record EventRouteKey(
      int rule,
      @Nullable String index,
      @Nullable String sourcetype,
      @Nullable String source,
      boolean hasHost) {}

  private final SyslogHeader header;
  private final Routing routing;
  private final Map<EventRouteKey, Route> eventRoutes = new HashMap<>();

  /** Metadata that the message has as an event of HEC, or null if it has none. */
  private @Nullable EventHead event;

  private Router router;
  private Route route;
  private @Nullable HostTable hosts;
  private HostOrigin hostOrigin = HostOrigin.SENDER;
  private byte[] host = {};
  private int hostStart;
  private int hostEnd;
  private long timeMillis;
  private boolean hasTime;

  public EventMetadata(Routing routing) {
    this.header = new SyslogHeader(routing.config().timeZone().id());
    this.routing = routing;
    this.router = new Router(routing.index());
    this.route = router.route(host, 0, 0, 0, header, null);
    this.hosts = routing.hosts();
  }

  /**
   * Switches to the current rules and the current table of hosts.
   *
   * @return whether the rules have changed, so that every route is a new object
   */
  public boolean refresh() {
    hosts = routing.hosts();
    RuleIndex now = routing.index();
    if (now == router.index()) {
      return false;
    }
    router = new Router(now);
    eventRoutes.clear();
    return true;
  }

  /**
   * Returns the routes of all rules that match the message that was read, in the rules' order. The
   * first is the message's route. The parameters are those of {@link #read}.
   */
  public List<Route> matching(byte[] data, int start, int textStart, int end) {
    return router.matching(data, start, textStart, end, header, event);
  }

  /**
   * Reads the metadata of a message and forgets the one before.
   *
   * @param start offset of the sender's address, which a space follows
   * @param textStart offset of the message as written by the sender. Equals {@code start} if the
   *     sender is not known.
   * @param end offset after the message
   * @param receivedMillis as for {@link SyslogHeader#parse}
   */
  public void read(byte[] data, int start, int textStart, int end, long receivedMillis) {
    read(data, start, textStart, end, receivedMillis, null);
  }

  /** Reads the metadata of a batch's message, and forgets the one before. */
  public void read(MessageBatch batch, int message, long receivedMillis) {
    read(
        batch.data(),
        batch.start(message),
        batch.textStart(message),
        batch.end(message),
        receivedMillis,
        batch.form() == MessageForm.EVENT ? batch.eventHead(message) : null);
  }

  private void read(
      byte[] data,
      int start,
      int textStart,
      int end,
      long receivedMillis,
      @Nullable EventHead newEvent) {
    event = newEvent;
    header.parse(data, textStart, end, receivedMillis);
    route = router.route(data, start, textStart, end, header, event);
    timeMillis = header.timeMillis();
    hasTime = header.hasTime();
    if (event != null) {
      route = eventRoute(route, event);
      readTime(event, receivedMillis);
    }
    HostChoice choice = route.host();
    String eventHost = event == null ? null : event.host();
    boolean named =
        (eventHost != null || header.hostStart() < header.hostEnd())
            && !(choice.fromAddress() && textStart > start);
    if (named && eventHost != null) {
      host = eventHost.getBytes(StandardCharsets.UTF_8);
      hostStart = 0;
      hostEnd = host.length;
    } else {
      host = data;
      hostStart = named ? header.hostStart() : start;
      hostEnd = named ? header.hostEnd() : Math.max(start, textStart - 1);
    }
    hostOrigin = named ? HostOrigin.MESSAGE : HostOrigin.SENDER;
    if (choice.fixed() != null) {
      hostEnd = hostStart;
    } else if (!takeTable()) {
      rewrite(choice);
    }
  }

  private Route eventRoute(Route byRules, EventHead newEvent) {
    EventRouteKey key =
        new EventRouteKey(
            byRules.rule(),
            newEvent.index(),
            newEvent.sourcetype(),
            newEvent.source(),
            newEvent.host() != null);
    if (eventRoutes.size() >= MAX_EVENT_ROUTES) {
      eventRoutes.clear();
    }
    return eventRoutes.computeIfAbsent(key, any -> router.index().ofEvent(byRules, newEvent));
  }

  /** As Splunk does, uses the time of receipt for an event without one; a line may contain it. */
  private void readTime(EventHead newEvent, long receivedMillis) {
    if (newEvent.time() != null) {
      timeMillis = newEvent.timeMillis();
      hasTime = true;
    } else if (newEvent.content() != EventHead.Content.LINE) {
      timeMillis = receivedMillis;
      hasTime = false;
    }
  }

  private boolean takeTable() {
    Address address = hosts == null ? null : Address.parse(host, hostStart, hostEnd);
    byte[] name = hosts == null || address == null ? null : hosts.name(address);
    if (name == null) {
      return false;
    }
    host = name;
    hostStart = 0;
    hostEnd = name.length;
    hostOrigin = HostOrigin.TABLE;
    return true;
  }

  private void rewrite(HostChoice choice) {
    if (choice.isShort() && !Address.isOne(host, hostStart, hostEnd)) {
      int dot = hostStart + 1;
      while (dot < hostEnd && host[dot] != '.') {
        dot++;
      }
      hostEnd = Math.min(dot, hostEnd);
    }
    if (choice.lower()) {
      host = Arrays.copyOfRange(host, hostStart, hostEnd);
      hostStart = 0;
      hostEnd = host.length;
      for (int i = 0; i < hostEnd; i++) {
        host[i] = (byte) Ascii.toLowerCase((char) host[i]);
      }
    }
  }

  /**
   * Returns the header's values of the message that was read.
   *
   * @param data the array that {@link #read} was given
   */
  public HeaderValues headerValues(byte[] data) {
    int facility = header.facility();
    return new HeaderValues(
        name(data, header.hostStart(), header.hostEnd()),
        name(data, header.programStart(), header.programEnd()),
        facility < 0 ? null : Facility.of(facility),
        facility < 0 ? null : Severities.name(header.severity()));
  }

  private static @Nullable String name(byte[] data, int start, int end) {
    return start == end ? null : new String(data, start, end - start, StandardCharsets.UTF_8);
  }

  /** Returns the event's time in milliseconds since the epoch. */
  public long timeMillis() {
    return timeMillis;
  }

  /** Whether the message has a time. If not, {@link #timeMillis} is the time of receipt. */
  public boolean hasTime() {
    return hasTime;
  }

  /** Returns the metadata that the message has as an event of HEC, or null if it has none. */
  public @Nullable EventHead event() {
    return event;
  }

  /** Returns the message's route, which is the same object for all messages of a rule. */
  public Route route() {
    return route;
  }

  /** Returns the event's host as text, or empty if it is unknown. */
  public String hostName() {
    String fixed = route.host().fixed();
    return fixed == null
        ? new String(host, hostStart, hostEnd - hostStart, StandardCharsets.UTF_8)
        : fixed;
  }

  /**
   * Returns the array that contains the host, from {@link #hostStart} to {@link #hostEnd}. Valid
   * until the next message.
   */
  public byte[] host() {
    return host;
  }

  /**
   * Returns the offset of the host in {@link #host}. Equals {@link #hostEnd} if the route fixes the
   * host, or if it is unknown.
   */
  public int hostStart() {
    return hostStart;
  }

  /** Returns the offset of the host's end in {@link #host}, exclusive. */
  public int hostEnd() {
    return hostEnd;
  }

  public HostOrigin hostOrigin() {
    return hostOrigin;
  }
}
