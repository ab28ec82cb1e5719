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
 * Writes and signs, for each hour, a statement of what the bridges received, delivered and missed.
 * It records this bridge's counts, states a past hour unless another bridge has done so, and stores
 * all statements as files. The bridges share one store with each bridge's unstated parts, and the
 * last {@value StatementChain#LENGTH} statements.
 *
 * <p>Not thread-safe, except for {@link #lastUntil}.
 */
public final class StatementKeeper {
  private static final Logger log = LoggerFactory.getLogger(StatementKeeper.class);

  private static final Duration RUN_PAUSE = Duration.ofSeconds(10);

  /**
   * Time for which a statement waits after the comparison could have ended. A bridge that has
   * stored nothing for so long counts as lost.
   */
  private static final Duration GRACE = Duration.ofMinutes(15);

  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  /** Prefixes of the names in the store. */
  private static final String STATEMENT_PREFIX = "statement ";

  private static final String PART_PREFIX = "part ";

  private final SharedTexts store;
  private final OwnParts ownParts;
  private final StatementFolder folder;
  private final PrivateKey key;
  private final Function<Instant, @Nullable CoverageReport> hourlyCoverage;
  private final Duration grace;
  private final InstantSource clock;
  private final OpenParts openParts;
  private final PollingThread thread =
      new PollingThread("statements", RUN_PAUSE, this::runOnce, this::leave);
  private final RecurringWarning writeWarning =
      new RecurringWarning(log, "statements", System::nanoTime);

  /** Warns only once, because bridges with different keys keep removing each other's entries. */
  private final RecurringWarning otherKeyWarning =
      new RecurringWarning(log, "statements of another key", System::nanoTime);

  private final StatementChain chain;

  /** Lines of the statements that are stored as files. */
  private final Set<String> filedLines = new HashSet<>();

  /**
   * Texts of this bridge's unstated parts, by their names in the store. After a failure, the texts
   * that the store may have.
   */
  private Map<String, String> ownTexts = new HashMap<>();

  /** Ends of the hours of the chain's statements. */
  private volatile List<Instant> statementEnds = List.of();

  /** The earliest known time since which counts are not stated. */
  private volatile Instant unstatedSince;

  /**
   * Reads the key, and the last statements of the folder.
   *
   * @param bridge the bridge's name
   * @param accepted returns the events that the sink has accepted since it was opened
   * @param hourlyCoverage returns the streams' missed messages in an hour, or null if they are not
   *     settled
   * @param window how late a copy may arrive
   * @param clock the store's clock, which may be set
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   * @throws ConfigException that names the unreadable file
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
      writeWarning.occurred(
          "The folder of statements "
              + folder
              + " can't be read ("
              + e
              + "). Check its permissions.");
    }
  }

  public void start() {
    thread.start();
  }

  /** Records the last counts, and waits at most some seconds for the thread's end. */
  public void stop() {
    thread.close();
    thread.awaitEnd(STOP_TIMEOUT);
  }

  /**
   * Returns the end of the last stated hour that is in the past by the store's clock. If there is
   * none, returns the time since which counts are not stated.
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

  /** Performs one run. Failures are logged, and retried in the next run. */
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
              .filter(each -> each.getKey().startsWith(STATEMENT_PREFIX))
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
      // If all stored statements are signed with another key, their chain is left alone.
      boolean isOtherKeysChain = chain.isEmpty() && !storedStatements.isEmpty();
      Set<String> statedIds = chain.partIds();
      updateStore(texts, statedIds, isOtherKeysChain);
      List<BridgePart> unstatedParts = unstatedParts(texts, statedIds);
      openParts.update(unstatedParts, now);
      unstatedParts.forEach(part -> unstatedSince = earlier(unstatedSince, part.from()));
      SignedStatement next = isOtherKeysChain ? null : nextStatement(unstatedParts, now);
      if (next != null) {
        var change = new SharedTexts.Change(STATEMENT_PREFIX + next.number(), "", next.line());
        if (store.replace(List.of(change)).get(0).isEmpty()) {
          warnOfFutureHours(next);
          addToChain(next, now);
        }
      }
      writeFiles();
      writeWarning.recovered();
      if (!allAreOurs) {
        otherKeyWarning.occurred(
            "The store has statements that are signed with another key. They are ignored. Give all"
                + " bridges the same statements.key. If no bridge has that key, delete them"
                + " (docs/statements.md).");
      }
    } catch (LedgerUnavailableException e) {
      log.debug("the store is unavailable for statements", e);
    } catch (IOException e) {
      writeWarning.occurred(
          "Statements can't be written to the disk ("
              + e
              + "). Check the folder. Retrying in 10 s.");
    } catch (GeneralSecurityException e) {
      writeWarning.occurred(
          "Statements can't be signed (" + e + "). Check statements.key. Retrying in 10 s.");
    }
  }

  /**
   * Offers a statement of the store to the chain.
   *
   * @return false if it follows, but is signed with another key
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
   * Called when this bridge was down for so long that the store no longer has the statements of
   * those hours. Other bridges have stated these parts from the store.
   *
   * @param hour the first hour of the chain
   */
  private void removePartsStatedMeanwhile(Instant hour, Instant now) {
    ownTexts.forEach(
        (field, text) -> {
          BridgePart part = part(field, text);
          // A part of a future hour is included in any statement.
          if (part != null && (part.hour().isBefore(hour) || part.hour().isAfter(now))) {
            ownParts.removeStated(part, now);
          }
        });
  }

  /**
   * Stores this bridge's parts, and statements that are missing in the store. Removes parts that
   * are stated or invalid, and statements that are not in the chain.
   */
  private void updateStore(
      Map<String, String> texts, Set<String> statedIds, boolean isOtherKeysChain)
      throws LedgerUnavailableException {
    Map<String, String> ours = new LinkedHashMap<>();
    ownParts.parts().forEach(part -> ours.put(PART_PREFIX + part.id(), part.text()));
    Map<String, String> parts = new HashMap<>(ours);
    chain.statements().forEach(each -> ours.put(STATEMENT_PREFIX + each.number(), each.line()));
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
              field.startsWith(PART_PREFIX)
                  ? statedIds.contains(field.substring(PART_PREFIX.length()))
                      || part(field, text) == null
                  : !ours.containsKey(field) && !isOtherKeysChain;
          if (isOver) {
            changes.add(new SharedTexts.Change(field, text, ""));
          }
        });
    ownTexts = parts; // even if no answer comes
    store.replace(changes);
  }

  /** Returns the part in an entry of the store, or null if it is invalid. */
  private static @Nullable BridgePart part(String field, String text) {
    BridgePart part = field.startsWith(PART_PREFIX) ? BridgePart.parse(text) : null;
    return part != null
            && field.equals(PART_PREFIX + part.id())
            && part.streams().stream().allMatch(StreamPart::isConserved)
        ? part
        : null;
  }

  /** Returns the unstated parts of all bridges, the oldest first. */
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

  /** Returns the next statement, or null if its hour is not over or data is still missing. */
  private @Nullable SignedStatement nextStatement(List<BridgePart> unstatedParts, Instant now)
      throws GeneralSecurityException {
    if (unstatedParts.isEmpty()) {
      return null;
    }
    SignedStatement last = chain.last();
    Instant first = unstatedParts.get(0).hour();
    // After a statement of a future hour, the chain returns to the present.
    boolean isStated = last != null && !first.isAfter(last.hour()) && !last.hour().isAfter(now);
    Instant hour = last != null && isStated ? last.until() : first;
    Instant end = hour.plus(1, ChronoUnit.HOURS);
    if (now.isBefore(end)) {
      return null;
    }
    // A part of a future hour comes from a clock that was ahead, and is not waited for.
    List<BridgePart> parts =
        unstatedParts.stream()
            .filter(part -> !part.hour().isAfter(hour) || part.hour().isAfter(now))
            .toList();
    CoverageReport streams = hourlyCoverage.apply(hour);
    boolean whole = streams != null && parts.stream().allMatch(BridgePart::ended);
    boolean late = !now.isBefore(end.plus(grace)) && parts.stream().allMatch(openParts::isFinal);
    return whole || late ? SignedStatement.of(last, hour, parts, streams, key) : null;
  }

  private void warnOfFutureHours(SignedStatement next) {
    SignedStatement last = chain.last();
    if (last != null && last.hour().isAfter(next.hour())) {
      log.warn(
          "Redis's clock was ahead: statement {} is for {}, but the earlier statement {} is for {}."
              + " All counts are stated, but the earlier ones under wrong hours. Check that the clock"
              + " of Redis's host is synchronized.",
          next.number(),
          next.hour(),
          last.number(),
          last.hour());
    }
  }

  /** Writes the statements that are not stored as files yet. */
  private void writeFiles() throws IOException {
    for (SignedStatement each : chain.statements()) {
      if (!filedLines.contains(each.line()) && folder.write(each)) {
        log.warn(
            "The chain has a fork at statement {}: folder {} has a different one. Run `duplog"
                + " statement verify`, which shows both.",
            each.number(),
            folder);
      }
      filedLines.add(each.line());
    }
    filedLines.retainAll(chain.statements().stream().map(SignedStatement::line).toList());
    statementEnds = chain.statements().stream().map(SignedStatement::until).toList();
  }
}
