package io.duplog.senders;

import com.google.common.collect.Sets;
import io.duplog.observe.RecurringWarning;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;

/** Warns of senders in one line, which names those first who were not warned of before. */
final class SendersWarning {
  private static final int NAMED = 3;

  private final String what;
  private final RecurringWarning warning;
  private Set<String> before = Set.of();

  /**
   * @param name the subject, as the line of recovery calls it
   * @param what what is the matter with the senders, such as "are silent"
   */
  SendersWarning(Logger log, String name, String what) {
    this.what = what;
    this.warning = new RecurringWarning(log, name, System::nanoTime);
  }

  /**
   * Warns if there are any senders.
   *
   * @param senders what is known of each of them
   * @param line says of a sender what is the matter
   */
  <T> void look(Map<String, T> senders, BiFunction<String, T, String> line) {
    Set<String> now = new TreeSet<>(senders.keySet());
    if (now.isEmpty()) {
      warning.recovered();
    } else {
      String some =
          Stream.concat(
                  Sets.difference(now, before).stream(), Sets.intersection(now, before).stream())
              .limit(NAMED)
              .map(sender -> line.apply(sender, Objects.requireNonNull(senders.get(sender))))
              .collect(Collectors.joining("; "));
      warning.occurred(
          String.join(" ", now),
          "%d senders %s: %s%s".formatted(now.size(), what, some, now.size() > NAMED ? "; …" : ""));
    }
    before = now;
  }
}
