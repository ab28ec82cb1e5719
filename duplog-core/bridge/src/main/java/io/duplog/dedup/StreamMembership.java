package io.duplog.dedup;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Notices if the streams that a bridge reads differ from those on which all bridges have agreed.
 * Not thread-safe, except for {@link #configured}.
 */
public final class StreamMembership {
  /** Alternative remedy if the rejected bridge and the others belong to different deployments. */
  private static final String OTHER_DEPLOYMENT =
      "; if the others belong to another deployment, give this one its own dedup.redis.prefix"
          + " instead";

  private final List<String> configuredStreams;
  private final Consumer<String> inform;
  private final Consumer<String> warn;

  /** Names of the merged streams at the last {@link #learn}. Initially the configured streams. */
  private List<String> knownStreams;

  /** Configured streams that an operator has removed, so that the bridges no longer merge them. */
  private Set<String> removedStreams = Set.of();

  /** Streams that other bridges merge but this bridge does not read. */
  private Set<String> unreadStreams = Set.of();

  /**
   * @param inform receives lines for an operator's information
   * @param warn receives lines that ask an operator to act
   */
  public StreamMembership(
      List<String> configuredStreams, Consumer<String> inform, Consumer<String> warn) {
    this.configuredStreams = List.copyOf(configuredStreams);
    this.knownStreams = this.configuredStreams;
    this.inform = inform;
    this.warn = warn;
  }

  /** Returns the configured streams, to whose order {@link Claim#stream()} refers. Thread-safe. */
  public List<String> configured() {
    return configuredStreams;
  }

  /**
   * Returns the streams that this bridge claims to read. Leaves out streams that were removed since
   * it started, because naming them would add them again. If all were removed, returns all.
   */
  public List<String> read() {
    return removedStreams.containsAll(configuredStreams)
        ? configuredStreams
        : configuredStreams.stream().filter(name -> !removedStreams.contains(name)).toList();
  }

  /** Updates the streams that all bridges agree on, and reports each change to the operator. */
  public void learn(StreamSet agreed) {
    List<String> merged = agreed.merged();
    if (!merged.equals(knownStreams)) {
      knownStreams = merged;
      inform.accept("the bridges now merge streams " + String.join(", ", merged));
    }
    Set<String> nowRemoved = without(configuredStreams, merged);
    if (!removedStreams.containsAll(nowRemoved)) {
      warn.accept(
          "stream "
              + String.join(", ", nowRemoved)
              + " was removed. Messages still in its queue are delivered, maybe twice. Remove it from"
              + " this bridge's configuration too.");
    }
    removedStreams = nowRemoved;
    Set<String> nowUnread = without(merged, configuredStreams);
    if (!unreadStreams.containsAll(nowUnread)) {
      warn.accept(
          "stream "
              + String.join(", ", nowUnread)
              + " is merged by other bridges but not read by this one. Redis remembers every message"
              + " that it does not bring for a window. Add it to this bridge's configuration, or end"
              + " it with `duplog streams remove`.");
    }
    unreadStreams = nowUnread;
  }

  /**
   * Creates an exception that says why this bridge is rejected, and what to change.
   *
   * @param agreed the agreement in the store
   * @param agreement the terms other than the streams that this bridge needs, as text
   */
  public LedgerRefusedException refusedBy(String agreed, String agreement) {
    String theirs = StreamSet.agreementOf(agreed);
    String line =
        theirs.equals(agreement)
            ? otherStreams(StreamSet.parse(agreed)) + OTHER_DEPLOYMENT
            : otherAgreement(values(agreement), values(theirs));
    return new LedgerRefusedException(line);
  }

  private static String otherAgreement(Map<String, String> here, Map<String, String> there) {
    List<String> lines = new ArrayList<>();
    here.forEach(
        (name, value) -> {
          String other = there.getOrDefault(name, "unknown");
          if (!other.equals(value)) {
            lines.add(
                "%s is %s here, but %s on the other bridges"
                    .formatted(
                        name.equals("layout") ? "Duplog's layout in Redis" : "dedup." + name,
                        value,
                        other));
          }
        });
    return String.join(", ", lines)
        + ". Give this bridge the same "
        + (Objects.equals(here.get("layout"), there.get("layout"))
            ? "configuration"
            : "version of Duplog");
  }

  /** Parses settings by name, such as {@code (window 600000 ms, identity message, layout 6)}. */
  private static Map<String, String> values(String agreement) {
    Map<String, String> values = new TreeMap<>();
    values.put("identity", Identity.SENDER_AND_MESSAGE.text());
    for (String each : agreement.replaceAll("^ \\(|\\)$", "").split(", ", -1)) {
      String[] words = each.split(" ", 2);
      values.put(words[0], words[words.length - 1]);
    }
    return values;
  }

  private String otherStreams(StreamSet agreed) {
    Set<String> missing = without(agreed.merged(), read());
    Set<String> others = without(read(), agreed.merged());
    String line =
        "the other bridges merge streams %s, but this one merges %s. Remove %s from this bridge's configuration"
            .formatted(
                String.join(", ", agreed.merged()),
                String.join(", ", read()),
                String.join(", ", others));
    List<String> removed =
        agreed.removed().stream().map(StreamSet.Slot::name).filter(others::contains).toList();
    if (!removed.isEmpty()) {
      line += " (%s was removed)".formatted(String.join(", ", removed));
    }
    return missing.isEmpty()
        ? line
            + ": there can be at most %d streams, and a removed one still counts for two windows"
                .formatted(StreamSet.MAX_STREAMS)
        : line
            + ", or add %s to it; then all bridges merge %s, too"
                .formatted(String.join(", ", missing), String.join(", ", others));
  }

  /** Returns the {@code names} that are not among the {@code others}, in alphabetical order. */
  private static Set<String> without(Collection<String> names, Collection<String> others) {
    Set<String> left = new TreeSet<>(names);
    left.removeAll(others);
    return left;
  }
}
