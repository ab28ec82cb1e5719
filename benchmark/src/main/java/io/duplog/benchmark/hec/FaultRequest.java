package io.duplog.benchmark.hec;

import io.duplog.collector.Acknowledging;
import io.duplog.collector.HecCode;
import io.duplog.collector.HecFault;
import io.duplog.collector.HecRequest;
import io.duplog.collector.Parameters;
import io.duplog.deliver.hec.HecSink;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request that switches on a fault of the stand-in for Splunk, for some requests or for a
 * while.
 *
 * <table>
 * <caption>Values of the parameter {@code fault}, with their own parameters</caption>
 * <tr><td>{@code answer}</td><td>{@code status=503}, {@code code=9}, {@code retry-after=2}</td></tr>
 * <tr><td>{@code accept}</td><td>{@code code=24}</td></tr>
 * <tr><td>{@code refuse-event}</td><td>{@code place=first|middle|last|N}, {@code code=6}</td></tr>
 * <tr><td>{@code refuse-text}</td><td>{@code text=…}, {@code code=6}</td></tr>
 * <tr><td>{@code hang}</td><td>{@code taken=true}</td></tr>
 * <tr><td>{@code cut}</td><td>{@code point=request|before-answer|answer}</td></tr>
 * <tr><td>{@code slow}</td><td>{@code millis=200}</td></tr>
 * <tr><td>{@code acks}</td><td>{@code order=as-taken|reversed|never}, {@code millis=0}</td></tr>
 * <tr><td>{@code refuse-connections}</td><td></td></tr>
 * </table>
 *
 * <p>All faults except the last two have four more parameters. {@code poison=N} limits the fault to
 * requests that contain one of N poison events, see {@link HecFault.Poison}. {@code
 * target=events|acks|health} limits it to a kind of request, {@code times=N} to a number of
 * requests, and {@code millis-long=N} to a time. Without {@code times} and {@code millis-long} the
 * fault lasts until it is cleared. Without {@code target} it affects requests of every kind, but
 * with {@code times} only those with events.
 *
 * @param unreadParameters the parameters that were not yet read; each is removed when it is read
 */
record FaultRequest(Map<String, String> unreadParameters) {
  /**
   * Activates the fault that the parameters of a URL describe.
   *
   * @throws IllegalArgumentException if a parameter is unknown, missing or wrong; the message is
   *     for the sender of the request
   */
  static void apply(URI uri, HecServer server) {
    FaultRequest request = new FaultRequest(Parameters.of(uri));
    String name = request.take("fault", "");
    switch (name) {
      case "refuse-connections" -> {
        request.requireEmpty();
        server.refuseConnections();
      }
      case "acks" -> {
        Acknowledging acknowledging =
            new Acknowledging(
                request.constant(Acknowledging.Order.class, "order", "as-taken"),
                Duration.ofMillis(request.number("millis", "0")));
        request.requireEmpty();
        server.collector.acknowledgements().acknowledge(acknowledging);
      }
      default -> request.add(name, server.faults);
    }
  }

  private void add(String name, ActiveFaults faults) {
    HecFault fault = parseFault(name);
    int poison = number("poison", "0");
    int times = number("times", "0");
    long millis = number("millis-long", "0");
    Set<HecRequest.Target> targets =
        unreadParameters.containsKey("target") || times > 0
            ? EnumSet.of(constant(HecRequest.Target.class, "target", "events"))
            : EnumSet.allOf(HecRequest.Target.class);
    requireEmpty();
    faults.add(
        poison == 0
            ? fault
            : new HecFault.Poison(
                fault, poison, ConcurrentHashMap.newKeySet(), HecSink.CONTROL_EVENT),
        targets,
        times == 0 ? ActiveFaults.UNLIMITED_TIMES : times,
        millis == 0 ? ActiveFaults.FOREVER : Duration.ofMillis(millis));
  }

  private HecFault parseFault(String name) {
    return switch (name) {
      case "answer" -> parseAnswer();
      case "accept" -> new HecFault.Accept(HecCode.of(number("code", "24")));
      case "refuse-event" ->
          new HecFault.RefuseEvent(
              HecFault.Place.of(take("place", "first")), HecCode.of(number("code", "6")));
      case "refuse-text" ->
          new HecFault.RefuseText(take("text", null), HecCode.of(number("code", "6")));
      case "hang" -> new HecFault.Hang(Boolean.parseBoolean(take("taken", "false")));
      case "cut" -> new HecFault.Cut(constant(HecFault.Cut.Point.class, "point", "before-answer"));
      case "slow" -> new HecFault.Slow(Duration.ofMillis(number("millis", null)));
      default -> throw new IllegalArgumentException("there is no fault '" + name + "'");
    };
  }

  private HecFault parseAnswer() {
    HecCode code = unreadParameters.containsKey("code") ? HecCode.of(number("code", null)) : null;
    int status = number("status", code == null ? null : Integer.toString(code.status()));
    return new HecFault.Answer(
        status,
        code,
        unreadParameters.containsKey("retry-after")
            ? Duration.ofSeconds(number("retry-after", null))
            : null);
  }

  private int number(String name, @Nullable String defaultValue) {
    String text = take(name, defaultValue);
    try {
      return Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " must be a number, was '" + text + "'", e);
    }
  }

  private <E extends Enum<E>> E constant(Class<E> type, String name, String defaultValue) {
    String text = take(name, defaultValue);
    try {
      return Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("there is no " + name + " '" + text + "'", e);
    }
  }

  private String take(String name, @Nullable String defaultValue) {
    String value = unreadParameters.remove(name);
    if (value != null) {
      return value;
    }
    if (defaultValue == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return defaultValue;
  }

  private void requireEmpty() {
    if (!unreadParameters.isEmpty()) {
      throw new IllegalArgumentException("unknown here: " + unreadParameters.keySet());
    }
  }
}
