package io.duplog.coverage.statement;

import io.duplog.config.ConfigException;
import io.duplog.observe.JsonValue;
import io.duplog.observe.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a folder of statements with nothing but the public keys. Reports what is altered,
 * missing, out of place or forged. Whether statements are missing at the end is known only if a
 * time is given up to which the folder has to reach.
 */
public final class StatementCheck {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<PublicKey> keys = new ArrayList<>();

  private final List<SignedStatement> found = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Set<String> parts = new HashSet<>();
  private @Nullable SignedStatement last;

  /** Time in which each hour has to be stated; null for no bound. */
  private final @Nullable Instant from;

  private final @Nullable Instant until;

  private StatementCheck(@Nullable Instant from, @Nullable Instant until) {
    this.from = from;
    this.until = until;
  }

  /**
   * Checks a folder.
   *
   * @param keys PEM files with the public keys, each of which may have signed any statement
   * @param from time from which on each hour has to be stated; null for that of the first statement
   * @param until time up to which each hour has to be stated; null for that of the last statement
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
    check.checkEnds();
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
      problem(name, "is no statement, or not as it was written");
      return;
    }
    if (!name.equals(StatementFolder.name(statement.number()))) {
      problem(name, "holds statement " + statement.number());
      return;
    }
    if (keys.stream().noneMatch(statement::isSignedBy)) {
      problem(name, "was altered, or another key signed it");
    }
    SignedStatement before = last;
    last = statement;
    if (before != null) {
      follow(name, before, statement);
    } else if (statement.number() > 1) {
      notes.add("the first " + (statement.number() - 1) + " statements are not in the folder");
    }
    checkSums(name, statement);
    found.add(statement);
  }

  private void follow(String name, SignedStatement before, SignedStatement statement) {
    if (statement.number() != before.number() + 1) {
      problem(name, "follows statement %d: those between are missing".formatted(before.number()));
    } else if (!statement.previous().equals(before.hash())) {
      problem(name, "was not made after the statement %d that is here".formatted(before.number()));
    }
    if (!statement.hour().isAfter(before.hour())) {
      problem(name, "states " + statement.hour() + ", which is not after the hour before");
    } else if (!statement.hour().equals(before.until())) {
      (isWanted(before.until(), statement.hour()) ? problems : notes)
          .add(
              "no bridge stated anything from %s to %s"
                  .formatted(before.until(), statement.hour()));
    }
  }

  /** Whether some of this time has to be stated. */
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
      for (StreamPart stream : part.streams()) {
        if (!stream.isConserved()) {
          problem(
              name, "has copies of " + stream.stream() + " that came from nowhere, or vanished");
        }
      }
    }
    if (!statement.streams().equals(SignedStatement.sums(statement.parts()))) {
      problem(name, "has sums that are not those of its bridges");
    }
    long lost = statement.parts().stream().filter(part -> !part.ended()).count();
    if (lost > 0) {
      JsonValue unknown = statement.body().at("unknown").at("copies_about");
      notes.add(
          "%s: %d bridges were lost; of about %d copies nothing is known"
              .formatted(statement.hour(), lost, (long) unknown.number()));
    }
    if (!statement.body().at("compared").exists()) {
      notes.add(statement.hour() + ": what the streams missed is not known");
    }
  }

  private void checkEnds() {
    SignedStatement end = last;
    if (end == null) {
      problems.add("there is no statement");
      return;
    }
    Instant begin = found.get(0).hour();
    if ((from != null && from.isBefore(begin)) || (until != null && !until.isAfter(begin))) {
      problems.add("nothing is stated before " + begin);
    }
    if ((until != null && until.isAfter(end.until()))
        || (from != null && !from.isBefore(end.until()))) {
      problems.add("nothing is stated after " + end.until());
    }
  }

  private void problem(String name, String what) {
    problems.add(Printable.of(name) + " " + what);
  }

  /** Returns what is wrong, a line for each problem. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** Returns what the statements themselves say that they don't know, a line for each. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** Returns in one line what was checked. */
  public String summary() {
    SignedStatement end = last;
    return end == null
        ? "0 statements"
        : "%d statements, from %s to %s; the last is %d with the hash %s"
            .formatted(found.size(), found.get(0).hour(), end.until(), end.number(), end.hash());
  }

  /**
   * Returns the counts of all statements of some hours as a table.
   *
   * @param from beginning of the first hour; null for the first statement's
   * @param until end of the last hour; null for the last statement's
   */
  public String table(@Nullable Instant from, @Nullable Instant until) {
    Predicate<Instant> wanted =
        hour ->
            (from == null || !hour.isBefore(from))
                && (until == null || !hour.plus(HOUR).isAfter(until));
    return StatementTable.of(
        found.stream().filter(each -> wanted.test(each.hour())).toList(),
        found.stream()
            .flatMap(each -> each.parts().stream())
            .filter(part -> wanted.test(part.hour()))
            .toList());
  }
}
