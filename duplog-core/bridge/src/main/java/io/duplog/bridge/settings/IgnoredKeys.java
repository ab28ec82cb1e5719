package io.duplog.bridge.settings;

import io.duplog.pipeline.SettleConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds keys in the bridge's configuration file that have no effect because another key rules them
 * out.
 */
public final class IgnoredKeys {
  private IgnoredKeys() {}

  /**
   * Returns one line for an operator for each ignored key.
   *
   * @param lines the line number of each key in the file, by full path
   */
  public static List<String> of(BridgeConfig config, Map<String, Integer> lines) {
    Map<String, String> reasonsByKey = new LinkedHashMap<>();
    config
        .allSinks()
        .forEach(
            (name, sink) ->
                addIgnored(config.sink() == null ? "sinks." + name : "sink", sink, reasonsByKey));
    addIgnored(config.dedup(), reasonsByKey);
    addIgnored(config.settle(), reasonsByKey);
    reasonsByKey.keySet().retainAll(lines.keySet());
    List<String> found = new ArrayList<>();
    reasonsByKey.forEach(
        (key, since) ->
            found.add("line %d: %s is ignored, because %s".formatted(lines.get(key), key, since)));
    return found;
  }

  private static void addIgnored(String key, SinkConfig sink, Map<String, String> reasonsByKey) {
    for (SinkConfig.Type type : SinkConfig.Type.values()) {
      if (type != sink.type()) {
        reasonsByKey.put(key + "." + word(type), key + ".type is " + word(sink.type()));
      }
    }
    for (String metadata : List.of("time-zone", "defaults", "host-table")) {
      reasonsByKey.put(
          key + ".routing." + metadata,
          key + ".type is " + word(sink.type()) + ", which has no metadata");
    }
    if (sink.required()) {
      reasonsByKey.put(key + ".buffer", key + ".required is true");
    }
  }

  private static void addIgnored(DedupConfig dedup, Map<String, String> reasonsByKey) {
    if (dedup.store() == DedupConfig.Store.MEMORY) {
      for (String key : List.of("redis", "spare", "when-unavailable", "local-limit")) {
        reasonsByKey.put("dedup." + key, "dedup.store is memory");
      }
      return;
    }
    reasonsByKey.put("dedup.memory", "dedup.store is redis");
    if (dedup.whenUnavailable() != DedupConfig.WhenUnavailable.LOCAL) {
      reasonsByKey.put("dedup.local-limit", "dedup.when-unavailable is pass-through");
    }
  }

  private static void addIgnored(SettleConfig settle, Map<String, String> reasonsByKey) {
    String chosen = "settle.acknowledge is " + word(settle.acknowledge());
    if (settle.acknowledge() != SettleConfig.Acknowledge.COUNT) {
      reasonsByKey.put("settle.acknowledge-count", chosen);
    } else if (settle.acknowledgeCount() == 1) {
      reasonsByKey.put("settle.acknowledge-interval", "settle.acknowledge-count is 1");
    }
    if (settle.acknowledge() == SettleConfig.Acknowledge.EACH) {
      reasonsByKey.put("settle.acknowledge-interval", chosen);
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
