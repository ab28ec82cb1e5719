package io.duplog.bridge.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What stands in a configuration file and is read by nobody, since something else is chosen. */
public final class IgnoredKeys {
  private final Map<String, Integer> lines;
  private final List<String> found = new ArrayList<>();

  private IgnoredKeys(Map<String, Integer> lines) {
    this.lines = lines;
  }

  /**
   * A line for each.
   *
   * @param lines of all keys that the file has, by their full paths
   */
  public static List<String> of(BridgeConfig config, Map<String, Integer> lines) {
    IgnoredKeys keys = new IgnoredKeys(lines);
    keys.beside(config.sink());
    keys.beside(config.dedup());
    keys.beside(config.settle());
    return keys.found;
  }

  private void beside(SinkConfig sink) {
    for (SinkConfig.Type type : SinkConfig.Type.values()) {
      if (type != sink.type()) {
        ignored("sink." + word(type), "sink.type is " + word(sink.type()));
      }
    }
  }

  private void beside(DedupConfig dedup) {
    if (dedup.store() == DedupConfig.Store.MEMORY) {
      for (String key : List.of("redis", "spare", "when-unavailable", "local-limit")) {
        ignored("dedup." + key, "dedup.store is memory");
      }
      return;
    }
    ignored("dedup.memory", "dedup.store is redis");
    if (dedup.whenUnavailable() != DedupConfig.WhenUnavailable.LOCAL) {
      ignored("dedup.local-limit", "dedup.when-unavailable is pass-through");
    }
  }

  private void beside(BridgeConfig.Settle settle) {
    String chosen = "settle.acknowledge is " + word(settle.acknowledge());
    if (settle.acknowledge() != BridgeConfig.Settle.Acknowledge.COUNT) {
      ignored("settle.acknowledge-count", chosen);
    }
    if (settle.acknowledge() == BridgeConfig.Settle.Acknowledge.EACH) {
      ignored("settle.acknowledge-interval", chosen);
    }
  }

  private void ignored(String key, String since) {
    Integer line = lines.get(key);
    if (line != null) {
      found.add("line %d: %s is not read, since %s".formatted(line, key, since));
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
