package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.Role;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What processes have used, by role.
 *
 * @param cpu since they started, or between two looks
 * @param resident bytes that they have
 */
record Usage(Map<Role, Duration> cpu, Map<Role, Long> resident) {
  private static final double NANOS_A_MICRO = 1000;

  Usage since(Usage before) {
    Map<Role, Duration> used = new EnumMap<>(cpu);
    before.cpu.forEach((role, time) -> used.merge(role, time, Duration::minus));
    return new Usage(used, resident);
  }

  /** For each of so many messages, of those that used any. */
  Map<String, Double> micros(long messages) {
    Map<String, Double> micros = new LinkedHashMap<>();
    cpu.forEach(
        (role, time) ->
            micros.put(role.toString(), time.toNanos() / NANOS_A_MICRO / Math.max(1, messages)));
    micros.values().removeIf(each -> each <= 0);
    return micros;
  }

  Map<String, Long> residentBytes() {
    Map<String, Long> bytes = new LinkedHashMap<>();
    resident.forEach((role, size) -> bytes.put(role.toString(), size));
    return bytes;
  }
}
