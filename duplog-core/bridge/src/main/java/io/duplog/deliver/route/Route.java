package io.duplog.deliver.route;

import io.duplog.wire.EventHead;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The metadata that a routing rule gives its messages, such as sourcetype and index. Immutable;
 * there is one instance for each rule.
 *
 * @param rule the rule's number, counted from 1 in the configuration's order, or 0 if no rule
 *     matched
 * @param index null if the token decides
 * @param sourcetype of the event
 * @param source null if the token decides
 * @param host where the host comes from; {@link EventMetadata#host} has it if it is not fixed
 * @param fields indexed fields, the defaults' first
 * @param topic of Kafka; null if the sink decides
 */
public record Route(
    int rule,
    @Nullable String index,
    String sourcetype,
    @Nullable String source,
    HostChoice host,
    Map<String, String> fields,
    @Nullable String topic) {

  static Route ofRule(int rule, RoutingConfig.Metadata set, RoutingConfig.Defaults defaults) {
    Map<String, String> fields = new LinkedHashMap<>(defaults.fields());
    fields.putAll(set.fields());
    return new Route(
        rule,
        either(set.index(), defaults.index()),
        Objects.requireNonNullElse(set.sourcetype(), defaults.sourcetype()),
        either(set.source(), defaults.source()),
        Objects.requireNonNullElse(set.host(), defaults.host()),
        Collections.unmodifiableMap(fields),
        set.topic());
  }

  /** Returns the route of an event; what the rule sets goes first, then the event's metadata. */
  static Route ofEvent(
      int rule, RoutingConfig.Metadata set, EventHead event, RoutingConfig.Defaults defaults) {
    // A fixed host among the defaults is for messages that don't say where they come from.
    HostChoice otherwise =
        event.host() != null && defaults.host().fixed() != null
            ? HostChoice.OF_MESSAGE
            : defaults.host();
    RoutingConfig.Defaults own =
        new RoutingConfig.Defaults(
            either(event.index(), defaults.index()),
            Objects.requireNonNullElse(event.sourcetype(), defaults.sourcetype()),
            either(event.source(), defaults.source()),
            otherwise,
            defaults.fields());
    return ofRule(rule, set, own);
  }

  private static @Nullable String either(@Nullable String own, @Nullable String otherwise) {
    return own == null ? otherwise : own;
  }
}
