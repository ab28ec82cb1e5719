package io.duplog.deliver.route;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The Splunk metadata that a routing rule gives its messages, such as sourcetype and index.
 * Immutable; there is one instance for each rule.
 *
 * @param rule the rule's number, counted from 1 in the configuration's order, or 0 if no rule
 *     matched
 * @param index null if the token decides
 * @param sourcetype of the event
 * @param source null if the token decides
 * @param host where the host comes from; {@link EventMetadata#host} has it if it is not fixed
 * @param fields indexed fields, the defaults' first
 */
public record Route(
    int rule,
    @Nullable String index,
    String sourcetype,
    @Nullable String source,
    HostChoice host,
    Map<String, String> fields) {

  static Route ofRule(int rule, RoutingConfig.Metadata set, RoutingConfig.Defaults defaults) {
    Map<String, String> fields = new LinkedHashMap<>(defaults.fields());
    fields.putAll(set.fields());
    return new Route(
        rule,
        either(set.index(), defaults.index()),
        Objects.requireNonNullElse(set.sourcetype(), defaults.sourcetype()),
        either(set.source(), defaults.source()),
        Objects.requireNonNullElse(set.host(), defaults.host()),
        Collections.unmodifiableMap(fields));
  }

  private static @Nullable String either(@Nullable String own, @Nullable String otherwise) {
    return own == null ? otherwise : own;
  }
}
