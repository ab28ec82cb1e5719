package io.duplog.benchmark.deploy;

import static java.util.regex.Pattern.MULTILINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.collect.Sets;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads what a pair of bridges has delivered, from their output files and counters, for tests of
 * installing and upgrading.
 */
final class MergedStream {
  /**
   * Number of messages delivered without deduplication, in a bridge's last log line or its metrics.
   */
  private static final Pattern UNDEDUPLICATED_COUNT =
      Pattern.compile(
          "(?:(?:bypassed|released) |\\{passage=\"(?:bypassed|released)\"[^}]*} )(\\d+)");

  private static final String METRICS_COMMAND =
      """
      bash -c 'exec 3<>/dev/tcp/127.0.0.1/8514
               printf "GET /metrics HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n" >&3
               cat <&3' | grep ^duplog_copies_
      """;

  private static final String MERGED_FILE = "/var/log/duplog/merged.log";

  private final List<SystemdHost> nodes;

  MergedStream(List<SystemdHost> nodes) {
    this.nodes = nodes;
  }

  /** Returns the lines of all bridges' files. */
  Multiset<String> lines() {
    Multiset<String> lines = HashMultiset.create();
    for (SystemdHost node : nodes) {
      String text = node.answer("sh", "-c", "cat " + MERGED_FILE + " 2>/dev/null");
      lines.addAll(text.lines().toList());
    }
    return lines;
  }

  /** Waits until the bridges have written each of these messages. */
  void awaitAll(List<String> sent) {
    await()
        .untilAsserted(
            () ->
                assertThat(
                        new TreeSet<>(Sets.difference(new TreeSet<>(sent), lines().elementSet())))
                    .as("not delivered yet")
                    .isEmpty());
  }

  /**
   * Checks that the number of duplicates is at most the number of messages that the bridges did not
   * deduplicate.
   */
  void assertNothingElseCameTwice() {
    nodes.parallelStream().forEach(SystemdHost::awaitSettled);
    Multiset<String> merged = lines();
    assertThat(Multisets.difference(merged, ImmutableMultiset.copyOf(merged.elementSet())))
        .as("duplicates; logs: %s", logs())
        .hasSizeLessThanOrEqualTo(undeduplicated());
  }

  private String logs() {
    return nodes.stream()
        .flatMap(
            node ->
                Stream.of(
                    node.toString(),
                    node.answer("cat", "/var/log/duplog-ingest.log"),
                    node.journal("duplog-ingest"),
                    node.journal("rsyslog"),
                    node.journal("duplog-bridge")))
        .collect(Collectors.joining("\n"));
  }

  /**
   * Returns how many possible duplicates the bridges delivered because Redis did not answer in
   * time. Bridges that have ended logged their number. Running bridges have counters.
   */
  int undeduplicated() {
    return nodes.stream()
        .map(node -> node.journal("duplog-bridge") + node.answer("sh", "-c", METRICS_COMMAND))
        .flatMap(text -> UNDEDUPLICATED_COUNT.matcher(text).results())
        .mapToInt(count -> Integer.parseInt(count.group(1)))
        .sum();
  }

  /**
   * Returns the number of messages that a node's stream has brought to both bridges, each counted
   * once.
   */
  long received(SystemdHost node) {
    Pattern figure =
        Pattern.compile(
            "^duplog_copies_(received|given_back|repeated)_total\\{[^}]*\"" + node + "\"} (\\d+)",
            MULTILINE);
    return nodes.stream()
        .flatMap(bridge -> figure.matcher(bridge.shell(METRICS_COMMAND)).results())
        .mapToLong(
            found -> Long.parseLong(found.group(2)) * (found.group(1).equals("received") ? 1 : -1))
        .sum();
  }

  /** Counts the lines of all bridges' files again, and returns the counts. */
  NumberedBytes count(NumberedBytes bytes) {
    bytes.reset();
    nodes.forEach(node -> node.read(MERGED_FILE, bytes::count));
    return bytes;
  }
}
