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
 * One bridge's streams beside those that all bridges agree on. By one thread, but for {@link
 * #configured}.
 */
public final class OwnStreams {
  private final List<String> configured;
  private final Consumer<String> inform;
  private final Consumer<String> warn;

  /** What was agreed on when this was last looked at. */
  private List<String> known;

  /** Of the configured ones, those that were removed while this bridge runs. */
  private Set<String> removed = Set.of();

  /** What others merge and this bridge doesn't read. */
  private Set<String> unread = Set.of();

  /**
   * @param inform takes a line for an operator who wants to know
   * @param warn takes a line for an operator who has to do something
   */
  public OwnStreams(List<String> configured, Consumer<String> inform, Consumer<String> warn) {
    this.configured = List.copyOf(configured);
    this.known = this.configured;
    this.inform = inform;
    this.warn = warn;
  }

  /** In the order by which claims tell their stream. Any thread. */
  public List<String> configured() {
    return configured;
  }

  /**
   * What this bridge says it reads: not what was removed since it began, which it would add again.
   */
  public List<String> read() {
    return removed.containsAll(configured)
        ? configured
        : configured.stream().filter(name -> !removed.contains(name)).toList();
  }

  /** Takes what is agreed on, and warns of what is new in it. */
  public void learn(StreamSet agreed) {
    List<String> merged = agreed.merged();
    if (!merged.equals(known)) {
      known = merged;
      inform.accept("the bridges merge the streams " + String.join(", ", merged));
    }
    Set<String> nowRemoved = without(configured, merged);
    if (!removed.containsAll(nowRemoved)) {
      warn.accept(
          "stream "
              + String.join(", ", nowRemoved)
              + " was removed: what its queue still brings is delivered, and may be delivered"
              + " twice; take it out of this bridge's configuration too");
    }
    removed = nowRemoved;
    Set<String> nowUnread = without(merged, configured);
    if (!unread.containsAll(nowUnread)) {
      warn.accept(
          "stream "
              + String.join(", ", nowUnread)
              + " is merged by other bridges and not read by this one: add it to this bridge's"
              + " configuration, or end it with `duplog streams remove`; until then every message"
              + " that it does not bring is remembered for a window");
    }
    unread = nowUnread;
  }

  /**
   * Why this bridge can't take part, and what to do.
   *
   * @param agreed as it stands in the store
   * @param agreement what must be equal beside the streams, in the store's words
   */
  public LedgerRefusedException refusedBy(String agreed, String agreement) {
    String theirs = StreamSet.agreementOf(agreed);
    String line =
        theirs.equals(agreement)
            ? otherStreams(StreamSet.parse(agreed))
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
                "%s is %s here, %s on the other bridges"
                    .formatted(
                        name.equals("layout") ? "Duplog's layout in Redis" : "dedup." + name,
                        value,
                        other));
          }
        });
    return String.join(", ", lines)
        + ": give this bridge the same "
        + (Objects.equals(here.get("layout"), there.get("layout"))
            ? "configuration"
            : "version of Duplog");
  }

  /** Reads {@code (window 600000 ms, identity message, layout 5)}. */
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
        "other bridges merge the streams %s, this one %s: take %s out of this bridge's configuration"
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
            + ", since there are %d at most, and a removed one has its place for two windows"
                .formatted(StreamSet.MOST)
        : line
            + ", or add %s to it, and all bridges merge %s too"
                .formatted(String.join(", ", missing), String.join(", ", others));
  }

  /** In their alphabetical order. */
  private static Set<String> without(Collection<String> names, Collection<String> others) {
    Set<String> left = new TreeSet<>(names);
    left.removeAll(others);
    return left;
  }
}
