package io.duplog.statement;

import io.duplog.config.ConfigException;
import io.duplog.observe.JsonValue;
import io.duplog.observe.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a folder of signed hourly statements, and reports those that are altered, missing, out
 * of place or forged. It needs only the public keys. Can detect missing statements at the end only
 * if it gets the time up to which the folder must reach.
 */
public final class StatementCheck {
  private final List<PublicKey> keys = new ArrayList<>();

  private final StatedHours hours = new StatedHours();
  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Set<String> parts = new HashSet<>();
  private final List<DeliveredPart> deliveredParts = new ArrayList<>();
  private int statements;
  private @Nullable SignedStatement last;

  /**
   * What a part says about the sink.
   *
   * @param process the bridge's name, and when its process started
   * @param copies copies that the sink has accepted
   * @param inFlight copies that the bridge had at the part's beginning
   */
  private record DeliveredPart(
      String process, Instant from, Instant until, long copies, long inFlight) {
    static DeliveredPart of(BridgePart part) {
      return new DeliveredPart(
          part.bridge(),
          part.from(),
          part.until(),
          part.streams().stream().mapToLong(StreamPart::delivered).sum(),
          part.streams().stream().mapToLong(StreamPart::before).sum());
    }

    boolean isOf(String bridge) {
      return process.startsWith(bridge + " ") && process.lastIndexOf(' ') == bridge.length();
    }
  }

  /**
   * What a bridge delivered in a period.
   *
   * @param copies copies that the sink has accepted
   * @param inFlight copies that the bridge had at the beginning. The sink may have got them before.
   * @param laterCopies copies that the sink has accepted after the period
   */
  public record Delivered(
      Instant from, Instant until, long copies, long inFlight, long laterCopies) {}

  /** The period in which each hour must be stated, or null for no bound. */
  private final @Nullable Instant from;

  private final @Nullable Instant until;

  private StatementCheck(@Nullable Instant from, @Nullable Instant until) {
    this.from = from;
    this.until = until;
  }

  /**
   * Checks a folder.
   *
   * @param keys PEM files with the public keys. Any of them may have signed a statement.
   * @param from time from which each hour must be stated, or null for the first statement's hour
   * @param until time up to which each hour must be stated, or null for the last statement's hour
   * @throws ConfigException that names the file or folder that can't be read
   */
  public static StatementCheck of(
      Path folder, List<Path> keys, @Nullable Instant from, @Nullable Instant until)
      throws ConfigException {
    StatementCheck check = new StatementCheck(from, until);
    for (Path key : keys) {
      check.keys.add(StatementKeys.publicKey(key));
    }
    try {
      for (Map.Entry<String, Path> file : new StatementFolder(folder).files().entrySet()) {
        check.addFile(file.getKey(), file.getValue());
      }
    } catch (IOException e) {
      throw ConfigException.unreadable(folder, e);
    }
    check.checkHours();
    return check;
  }

  private void addFile(String name, Path file) {
    try {
      add(name, StatementFolder.read(file));
    } catch (IOException e) {
      problem(name, "can't be read (" + e + ")");
    }
  }

  private void add(String name, @Nullable SignedStatement statement) {
    if (statement == null) {
      problem(name, "is not a statement, or was changed");
      return;
    }
    if (!name.equals(StatementFolder.name(statement.number()))) {
      problem(name, "contains statement " + statement.number());
      return;
    }
    if (keys.stream().noneMatch(statement::isSignedBy)) {
      problem(name, "was altered, or is signed with another key");
    }
    SignedStatement before = last;
    last = statement;
    if (before != null) {
      follow(name, before, statement);
    } else if (statement.number() > 1) {
      notes.add("the first " + (statement.number() - 1) + " statements are not in the folder");
    }
    checkSums(name, statement);
    hours.add(statement);
    statements++;
  }

  private void follow(String name, SignedStatement before, SignedStatement statement) {
    if (statement.number() != before.number() + 1) {
      problem(
          name,
          "follows statement %d: the statements in between are missing".formatted(before.number()));
    } else if (!statement.previous().equals(before.hash())) {
      problem(name, "does not continue the statement %d in this folder".formatted(before.number()));
    }
  }

  /** Whether part of this time must be stated. */
  private boolean isWanted(Instant begin, Instant end) {
    return (from != null || until != null)
        && (from == null || end.isAfter(from))
        && (until == null || begin.isBefore(until));
  }

  private void checkSums(String name, SignedStatement statement) {
    for (BridgePart part : statement.parts()) {
      if (!parts.add(part.id())) {
        problem(name, "states part " + part.number() + " of " + part.bridge() + " again");
      }
      deliveredParts.add(DeliveredPart.of(part));
      for (StreamPart stream : part.streams()) {
        if (!stream.isConserved()) {
          problem(name, "has counts of stream " + stream.stream() + " that don't add up");
        }
      }
    }
    if (!statement.streams().equals(SignedStatement.sums(statement.parts()))) {
      problem(name, "has sums that differ from those of its bridges");
    }
    long lost = statement.parts().stream().filter(part -> !part.ended()).count();
    if (lost > 0) {
      JsonValue unknown = statement.body().at("unknown").at("copies_about");
      notes.add(
          "%s: %d bridges were lost; about %d copies are not accounted for"
              .formatted(statement.hour(), lost, (long) unknown.number()));
    }
    if (!statement.body().at("compared").exists()) {
      notes.add(statement.hour() + ": the streams' missed messages are unknown");
    }
  }

  private void checkHours() {
    if (hours.isEmpty()) {
      problems.add("there is no statement");
      return;
    }
    notes.addAll(hours.notes());
    hours.forEachGap(
        (begin, end) ->
            (isWanted(begin, end) ? problems : notes)
                .add("no bridge stated anything from %s to %s".formatted(begin, end)));
    Instant begin = hours.begin();
    if ((from != null && from.isBefore(begin)) || (until != null && !until.isAfter(begin))) {
      problems.add("there is no statement before " + begin);
    }
    Instant end = hours.end();
    if ((until != null && until.isAfter(end)) || (from != null && !from.isBefore(end))) {
      problems.add("there is no statement after " + end);
    }
  }

  private void problem(String name, String what) {
    problems.add(Printable.of(name) + " " + what);
  }

  /**
   * Returns what a bridge says that it delivered, by its parts that end in a period and belong to
   * the checked hours. Returns null if there is no such part.
   */
  public @Nullable Delivered delivered(String bridge, Instant begin, Instant end) {
    String stated = OwnParts.printable(bridge);
    Map<String, DeliveredPart> firstByProcess = new LinkedHashMap<>();
    long copies = 0;
    long laterCopies = 0;
    Instant first = end;
    Instant latest = begin;
    for (DeliveredPart part : deliveredParts) {
      if (!part.isOf(stated) || !isChecked(part) || !part.until().isAfter(begin)) {
        continue;
      }
      if (part.until().isAfter(end)) {
        laterCopies += part.copies();
        continue;
      }
      firstByProcess.merge(
          part.process(), part, (one, two) -> one.from().isAfter(two.from()) ? two : one);
      copies += part.copies();
      first = part.from().isBefore(first) ? part.from() : first;
      latest = part.until().isAfter(latest) ? part.until() : latest;
    }
    long inFlight = firstByProcess.values().stream().mapToLong(DeliveredPart::inFlight).sum();
    return firstByProcess.isEmpty()
        ? null
        : new Delivered(first, latest, copies, inFlight, laterCopies);
  }

  private boolean isChecked(DeliveredPart part) {
    return (from == null || !part.from().isBefore(from))
        && (until == null || part.from().isBefore(until));
  }

  /** Returns the problems, one line each. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** Returns the gaps that the statements themselves report, one line each. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** Returns a summary of the check in one line. */
  public String summary() {
    SignedStatement end = last;
    return end == null
        ? "0 statements"
        : "%d statements, from %s to %s; the last is %d with the hash %s"
            .formatted(statements, hours.begin(), hours.end(), end.number(), end.hash());
  }
}
