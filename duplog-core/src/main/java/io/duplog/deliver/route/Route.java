package io.duplog.deliver.route;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata that a message gets. Immutable, and one instance a rule.
 *
 * @param rule which rule it comes from, counted from 1 in the configuration's order; 0 where no
 *     rule's conditions held
 * @param index null where the token decides
 * @param sourcetype of the event
 * @param source null where the token decides
 * @param host see {@link EventMetadata#host} where it is not fixed
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
    String sourcetype = set.sourcetype();
    HostChoice host = set.host();
    return new Route(
        rule,
        either(set.index(), defaults.index()),
        sourcetype == null ? defaults.sourcetype() : sourcetype,
        either(set.source(), defaults.source()),
        host == null ? defaults.host() : host,
        Collections.unmodifiableMap(fields));
  }

  private static @Nullable String either(@Nullable String own, @Nullable String otherwise) {
    return own == null ? otherwise : own;
  }
}
