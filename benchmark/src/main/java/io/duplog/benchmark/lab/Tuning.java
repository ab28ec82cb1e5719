package io.duplog.benchmark.lab;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settings with which a lab's shims and bridges differ from the defaults.
 *
 * @param shim values by key of the shims' configuration file, such as {@code batch.max-messages}; a
 *     value is YAML
 * @param bridge values by key of the bridges' configuration file, such as {@code receive.prefetch};
 *     a value is YAML
 * @param queues number of queues for each stream; if it is at least the number of bridges, each
 *     bridge prefers some of the queues
 */
public record Tuning(Map<String, String> shim, Map<String, String> bridge, int queues) {

  /** Tuning that leaves all settings at their defaults, with one queue for each stream. */
  public static final Tuning NONE = new Tuning(Map.of(), Map.of(), 1);

  /** The largest {@code receive.prefetch} that AMQP allows. */
  public static final int UNLIMITED_PREFETCH = 65_535;

  public Tuning {
    shim = Collections.unmodifiableMap(new TreeMap<>(shim));
    bridge = Collections.unmodifiableMap(new TreeMap<>(bridge));
  }

  public Tuning withShim(String key, String value) {
    return new Tuning(add(shim, key, value), bridge, queues);
  }

  public Tuning withBridge(String key, String value) {
    return new Tuning(shim, add(bridge, key, value), queues);
  }

  public Tuning withQueues(int number) {
    return new Tuning(shim, bridge, number);
  }

  private static Map<String, String> add(Map<String, String> values, String key, String value) {
    Map<String, String> newValues = new TreeMap<>(values);
    newValues.put(key, value);
    return newValues;
  }

  /**
   * Returns the text of a configuration file for a bridge or a shim.
   *
   * @param values YAML values by full key, such as {@code receive.prefetch}
   */
  static String configuration(Map<String, String> values) {
    StringBuilder yaml = new StringBuilder();
    String previousKey = "";
    // The keys are sorted, so the keys of a section are adjacent.
    for (Map.Entry<String, String> entry : new TreeMap<>(values).entrySet()) {
      String key = entry.getKey();
      List<String> names = Splitter.on('.').splitToList(key);
      int commonDepth = CharMatcher.is('.').countIn(Strings.commonPrefix(previousKey, key));
      for (int depth = commonDepth; depth < names.size(); depth++) {
        String value = depth < names.size() - 1 ? "" : " " + entry.getValue();
        yaml.append("  ".repeat(depth) + names.get(depth) + ":" + value + "\n");
      }
      previousKey = key;
    }
    return yaml.toString();
  }
}
