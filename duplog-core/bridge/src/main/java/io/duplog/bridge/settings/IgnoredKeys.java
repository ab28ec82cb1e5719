package io.duplog.bridge.settings;

import io.duplog.pipeline.SettleConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Finds keys in a configuration file that have no effect because another key excludes them. */
public final class IgnoredKeys {
  private IgnoredKeys() {}

  /**
   * Returns one line for an operator for each key that is not read.
   *
   * @param lines the line number of each key in the file, by full path
   */
  public static List<String> of(BridgeConfig config, Map<String, Integer> lines) {
    Map<String, String> reasons = new LinkedHashMap<>();
    addBeside(config.sink(), reasons);
    addBeside(config.dedup(), reasons);
    addBeside(config.settle(), reasons);
    reasons.keySet().retainAll(lines.keySet());
    List<String> found = new ArrayList<>();
    reasons.forEach(
        (key, since) ->
            found.add("line %d: %s is not read, since %s".formatted(lines.get(key), key, since)));
    return found;
  }

  private static void addBeside(SinkConfig sink, Map<String, String> reasons) {
    for (SinkConfig.Type type : SinkConfig.Type.values()) {
      if (type != sink.type()) {
        reasons.put("sink." + word(type), "sink.type is " + word(sink.type()));
      }
    }
  }

  private static void addBeside(DedupConfig dedup, Map<String, String> reasons) {
    if (dedup.store() == DedupConfig.Store.MEMORY) {
      for (String key : List.of("redis", "spare", "when-unavailable", "local-limit")) {
        reasons.put("dedup." + key, "dedup.store is memory");
      }
      return;
    }
    reasons.put("dedup.memory", "dedup.store is redis");
    if (dedup.whenUnavailable() != DedupConfig.WhenUnavailable.LOCAL) {
      reasons.put("dedup.local-limit", "dedup.when-unavailable is pass-through");
    }
  }

  private static void addBeside(SettleConfig settle, Map<String, String> reasons) {
    String chosen = "settle.acknowledge is " + word(settle.acknowledge());
    if (settle.acknowledge() != SettleConfig.Acknowledge.COUNT) {
      reasons.put("settle.acknowledge-count", chosen);
    } else if (settle.acknowledgeCount() == 1) {
      reasons.put("settle.acknowledge-interval", "settle.acknowledge-count is 1");
    }
    if (settle.acknowledge() == SettleConfig.Acknowledge.EACH) {
      reasons.put("settle.acknowledge-interval", chosen);
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
