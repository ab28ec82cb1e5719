package io.duplog.statement;

import static java.util.stream.Collectors.toMap;

import io.duplog.config.ConfigException;
import io.duplog.coverage.CoverageReport;
import io.duplog.coverage.StatementConfig;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.SharedTexts;
import io.duplog.dedup.Sightings;
import io.duplog.observe.Counters;
import io.duplog.observe.EventCounts;
import io.duplog.observe.PollingThread;
import io.duplog.observe.RecurringWarning;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes and keeps the statements of one bridge, as its part in the chain of all. Notes what the
 * bridge did, states an hour that is over unless another bridge has, and keeps all statements as
 * files. What the bridges share lies in one store: each bridge's parts that are not stated yet, and
 * the last {@value StatementChain#LENGTH} statements.
 *
 * <p>{@link #lastUntil} may be called from any thread.
 */
public final class StatementKeeper {
  private static final Logger log = LoggerFactory.getLogger(StatementKeeper.class);

  private static final Duration PAUSE = Duration.ofSeconds(10);

  /**
   * Time for which a statement waits after the comparison could have ended. A bridge that has noted
   * nothing for as long counts as lost.
   */
  private static final Duration GRACE = Duration.ofMinutes(15);

  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  /** Prefixes of the store's fields. */
  private static final String STATEMENT = "statement ";

  private static final String PART = "part ";

  private final SharedTexts store;
  private final OwnParts ownParts;
  private final StatementFolder folder;
  private final PrivateKey key;
  private final Function<Instant, @Nullable CoverageReport> hourlyCoverage;
  private final Duration grace;
  private final InstantSource clock;
  private final OpenParts openParts;
  private final PollingThread thread =
      new PollingThread("statements", PAUSE, this::runOnce, this::leave);
  private final RecurringWarning trouble =
      new RecurringWarning(log, "statements", System::nanoTime);

  /** Warns only once, because bridges with different keys keep removing each other's entries. */
  private final RecurringWarning strangerWarning =
      new RecurringWarning(log, "statements of another key", System::nanoTime);

  private final StatementChain chain;

  /** Lines of the statements that are files. */
  private final Set<String> filedLines = new HashSet<>();

  /**
   * Texts of this bridge's parts that were not stated yet, by the fields of the store that have
   * them. After a failure these are the texts that the store may have.
   */
  private Map<String, String> ownTexts = new HashMap<>();

  /** Ends of the hours of the chain's statements. */
  private volatile List<Instant> statementEnds = List.of();

  /** The first time of which this bridge knows that something was counted and not stated. */
  private volatile Instant unstatedSince;

  /**
   * Reads the key, and the last statements of the folder.
   *
   * @param bridge the bridge's name
   * @param accepted returns what the sink has accepted since it was opened
   * @param hourlyCoverage returns what the streams missed in an hour; null if that is not settled
   * @param window how late a copy may be
   * @param clock the store's clock, which may be set
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   * @throws ConfigException that names the file that can't be read
   */
  public StatementKeeper(
      StatementConfig config,
      String bridge,
      Counters counters,
      Supplier<Map<EventCounts.Source, Long>> accepted,
      SharedTexts store,
      Function<Instant, @Nullable CoverageReport> hourlyCoverage,
      Duration window,
      InstantSource clock,
      LongSupplier nanoClock)
      throws ConfigException {
    this.store = store;
    this.ownParts = new OwnParts(counters, accepted, bridge, clock.instant());
    this.key = StatementKeys.privateKey(Path.of(config.key()));
    this.folder = new StatementFolder(Path.of(config.folder()));
    this.chain = new StatementChain(folder, key);
    this.hourlyCoverage = hourlyCoverage;
    this.grace = window.plus(window.dividedBy(Sightings.REMEMBERED)).plus(GRACE);
    this.clock = clock;
    this.openParts = new OpenParts(GRACE, nanoClock);
    this.unstatedSince = clock.instant();
    try {
      folder.create();
      chain.load();
      statementEnds = chain.statements().stream().map(SignedStatement::until).toList();
    } catch (IOException e) {
      trouble.occurred("statements of " + folder + " can't be read (" + e + ")");
    }
  }

  public void start() {
    thread.start();
  }

  /** Notes the last counts, and waits some seconds at most for the thread's end. */
  public void stop() {
    thread.close();
    thread.awaitEnd(LONGEST_END);
  }

  /**
   * Returns the end of the last stated hour that is over by the store's clock. If there is none,
   * returns since when something is counted that is not stated.
   */
  public Instant lastUntil() {
    Instant now = clock.instant();
    return statementEnds.stream()
        .filter(until -> !until.isAfter(now))
        .max(Comparator.naturalOrder())
        .orElse(unstatedSince);
  }

  private void leave() {
    ownParts.end(clock.instant());
    runOnce();
  }

  /** Takes one turn; failures are told, and what was not done is tried again. */
  void runOnce() {
    Instant now = clock.instant();
    ownParts.count(now);
    try {
      Map<String, String> texts = store.all();
      ownTexts.replaceAll(texts::getOrDefault);
      Map<String, SignedStatement> knownByLine =
          chain.statements().stream().collect(toMap(SignedStatement::line, Function.identity()));
      List<SignedStatement> storedStatements =
          texts.entrySet().stream()
              .filter(each -> each.getKey().startsWith(STATEMENT))
              .map(Map.Entry::getValue)
              .map(
                  line ->
                      knownByLine.containsKey(line)
                          ? knownByLine.get(line)
                          : SignedStatement.parse(line))
              .filter(Objects::nonNull)
              .sorted(Comparator.comparingLong(SignedStatement::number))
              .toList();
      SignedStatement last = chain.last();
      boolean allAreOurs = true;
      for (SignedStatement each : storedStatements) {
        allAreOurs &= addToChain(each, now);
      }
      SignedStatement first = chain.first();
      if (first != null && first.number() - 1 > (last == null ? 0 : last.number())) {
        removePartsStatedMeanwhile(first.hour(), now);
      }
      // While all that is there is of others with another key, their chain is left alone.
      boolean isStranger = chain.isEmpty() && !storedStatements.isEmpty();
      Set<String> statedIds = chain.partIds();
      updateStore(texts, statedIds, isStranger);
      List<BridgePart> unstatedParts = unstatedParts(texts, statedIds);
      openParts.look(unstatedParts, now);
      unstatedParts.forEach(part -> unstatedSince = earlier(unstatedSince, part.from()));
      SignedStatement next = isStranger ? null : nextStatement(unstatedParts, now);
      if (next != null) {
        var change = new SharedTexts.Change(STATEMENT + next.number(), "", next.line());
        if (store.replace(List.of(change)).get(0).isEmpty()) {
          tellOfHoursToCome(next);
          addToChain(next, now);
        }
      }
      writeFiles();
      trouble.recovered();
      if (!allAreOurs) {
        strangerWarning.occurred(
            "the store has statements that are signed by another key, and are left out: give all"
                + " bridges the same statements.key; if nobody has that key, delete them"
                + " (docs/statements.md)");
      }
    } catch (LedgerUnavailableException e) {
      log.debug("the store takes no statements at the moment", e);
    } catch (IOException e) {
      trouble.occurred("statements are not written to the disk (" + e + "): tried again in 10 s");
    } catch (GeneralSecurityException e) {
      trouble.occurred("statements can't be signed (" + e + "): tried again in 10 s");
    }
  }

  /**
   * Offers a statement of the store to the chain.
   *
   * @return false if it follows, but is signed by another key
   */
  private boolean addToChain(SignedStatement statement, Instant now)
      throws GeneralSecurityException {
    return switch (chain.offer(statement)) {
      case NOTHING_NEW -> true;
      case OF_ANOTHER_KEY -> false;
      case ADDED -> {
        statement.parts().forEach(part -> ownParts.removeStated(part, now));
        yield true;
      }
    };
  }

  /**
   * Removes this bridge's stored parts of all hours before the chain, because they were stated.
   * Called when this bridge was away for so long that the store no longer has the statements on
   * those hours. Other bridges have stated these parts as the store had them.
   *
   * @param hour the first hour of the chain
   */
  private void removePartsStatedMeanwhile(Instant hour, Instant now) {
    ownTexts.forEach(
        (field, text) -> {
          BridgePart part = part(field, text);
          // Any statement takes a part of an hour that had not begun.
          if (part != null && (part.hour().isBefore(hour) || part.hour().isAfter(now))) {
            ownParts.removeStated(part, now);
          }
        });
  }

  /**
   * Stores this bridge's parts and the statements that the store has forgotten. Removes parts that
   * are stated or invalid, and statements that are not in the chain.
   */
  private void updateStore(Map<String, String> texts, Set<String> statedIds, boolean isStranger)
      throws LedgerUnavailableException {
    Map<String, String> ours = new LinkedHashMap<>();
    ownParts.parts().forEach(part -> ours.put(PART + part.id(), part.text()));
    Map<String, String> parts = new HashMap<>(ours);
    chain.statements().forEach(each -> ours.put(STATEMENT + each.number(), each.line()));
    List<SharedTexts.Change> changes = new ArrayList<>();
    ours.forEach(
        (field, text) -> {
          String storedText = texts.getOrDefault(field, "");
          if (!text.equals(storedText)) {
            changes.add(new SharedTexts.Change(field, storedText, text));
          }
        });
    texts.forEach(
        (field, text) -> {
          boolean isOver =
              field.startsWith(PART)
                  ? statedIds.contains(field.substring(PART.length())) || part(field, text) == null
                  : !ours.containsKey(field) && !isStranger;
          if (isOver) {
            changes.add(new SharedTexts.Change(field, text, ""));
          }
        });
    ownTexts = parts; // even if no answer comes
    store.replace(changes);
  }

  /** Returns the part that a field of the store holds; null if it makes no sense. */
  private static @Nullable BridgePart part(String field, String text) {
    BridgePart part = field.startsWith(PART) ? BridgePart.parse(text) : null;
    return part != null
            && field.equals(PART + part.id())
            && part.streams().stream().allMatch(StreamPart::isConserved)
        ? part
        : null;
  }

  /** Returns the parts of all bridges that are not stated, the oldest first. */
  private List<BridgePart> unstatedParts(Map<String, String> texts, Set<String> statedIds)
      throws IOException {
    List<BridgePart> unstatedParts = new ArrayList<>();
    for (Map.Entry<String, String> text : texts.entrySet()) {
      BridgePart part = part(text.getKey(), text.getValue());
      if (part != null && !statedIds.contains(part.id()) && !chain.hasFormerly(part)) {
        unstatedParts.add(part);
      }
    }
    unstatedParts.sort(Comparator.comparing(BridgePart::hour).thenComparing(BridgePart::id));
    return unstatedParts;
  }

  private static Instant earlier(Instant one, Instant other) {
    return other.isBefore(one) ? other : one;
  }

  /** Returns the next statement; null if its hour goes on or something is still waited for. */
  private @Nullable SignedStatement nextStatement(List<BridgePart> unstatedParts, Instant now)
      throws GeneralSecurityException {
    if (unstatedParts.isEmpty()) {
      return null;
    }
    SignedStatement last = chain.last();
    Instant first = unstatedParts.get(0).hour();
    // After a statement on an hour that has not begun, the chain goes back to the present.
    boolean isStated = last != null && !first.isAfter(last.hour()) && !last.hour().isAfter(now);
    Instant hour = last != null && isStated ? last.until() : first;
    Instant end = hour.plus(1, ChronoUnit.HOURS);
    if (now.isBefore(end)) {
      return null;
    }
    // A part of an hour that has not begun is of a clock that was ahead, and is not waited for.
    List<BridgePart> parts =
        unstatedParts.stream()
            .filter(part -> !part.hour().isAfter(hour) || part.hour().isAfter(now))
            .toList();
    CoverageReport streams = hourlyCoverage.apply(hour);
    boolean whole = streams != null && parts.stream().allMatch(BridgePart::ended);
    boolean late = !now.isBefore(end.plus(grace)) && parts.stream().allMatch(openParts::isFinal);
    return whole || late ? SignedStatement.of(last, hour, parts, streams, key) : null;
  }

  private void tellOfHoursToCome(SignedStatement next) {
    SignedStatement last = chain.last();
    if (last != null && last.hour().isAfter(next.hour())) {
      log.warn(
          "statement {} is of {}, and statement {} before it of {}: Redis's clock was ahead. All"
              + " counts are stated, the earlier ones under hours that were wrong. Check that the"
              + " clock of Redis's host is synchronized",
          next.number(),
          next.hour(),
          last.number(),
          last.hour());
    }
  }

  /** Writes the statements that are no files yet. */
  private void writeFiles() throws IOException {
    for (SignedStatement each : chain.statements()) {
      if (!filedLines.contains(each.line()) && folder.write(each)) {
        log.warn(
            "the chain has a fork at statement {}: another one is in {}; duplog statement verify"
                + " shows both",
            each.number(),
            folder);
      }
      filedLines.add(each.line());
    }
    filedLines.retainAll(chain.statements().stream().map(SignedStatement::line).toList());
    statementEnds = chain.statements().stream().map(SignedStatement::until).toList();
  }
}
