package io.duplog.benchmark.lab;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a lab's programs are told beyond what they need. Each has its own defaults.
 *
 * @param shim keys of the shims' configuration file with their values, which are YAML; a key has
 *     its sections, such as {@code batch.max-messages}
 * @param bridge the same of the bridges' file, such as {@code receive.prefetch}
 * @param queues how many share each stream's messages; with as many as there are bridges or more,
 *     they are shared out among the bridges
 */
public record Tuning(Map<String, String> shim, Map<String, String> bridge, int queues) {

  /** As an operator has it who changes nothing. */
  public static final Tuning NONE = new Tuning(Map.of(), Map.of(), 1);

  /** The largest {@code receive.prefetch} that AMQP knows. */
  public static final int UNLIMITED_PREFETCH = 65_535;

  public Tuning {
    shim = Collections.unmodifiableMap(new TreeMap<>(shim));
    bridge = Collections.unmodifiableMap(new TreeMap<>(bridge));
  }

  public Tuning withShim(String key, String value) {
    return new Tuning(with(shim, key, value), bridge, queues);
  }

  public Tuning withBridge(String key, String value) {
    return new Tuning(shim, with(bridge, key, value), queues);
  }

  public Tuning withQueues(int number) {
    return new Tuning(shim, bridge, number);
  }

  private static Map<String, String> with(Map<String, String> values, String key, String value) {
    Map<String, String> more = new TreeMap<>(values);
    more.put(key, value);
    return more;
  }

  /**
   * A configuration file, as bridges and shims read it.
   *
   * @param values by key with its sections, such as {@code receive.prefetch}; a value is YAML
   */
  static String configuration(Map<String, String> values) {
    StringBuilder yaml = new StringBuilder();
    String last = "";
    // Sorted, so that a section's keys stand together.
    for (Map.Entry<String, String> entry : new TreeMap<>(values).entrySet()) {
      String key = entry.getKey();
      List<String> names = Splitter.on('.').splitToList(key);
      int open = CharMatcher.is('.').countIn(Strings.commonPrefix(last, key));
      for (int depth = open; depth < names.size(); depth++) {
        String value = depth < names.size() - 1 ? "" : " " + entry.getValue();
        yaml.append("  ".repeat(depth) + names.get(depth) + ":" + value + "\n");
      }
      last = key;
    }
    return yaml.toString();
  }
}
