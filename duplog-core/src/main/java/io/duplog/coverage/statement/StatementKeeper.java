package io.duplog.coverage.statement;

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
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bridge's part in the chain of statements. Notes what the bridge did, states an hour that is
 * over unless another bridge has, and keeps all statements as files. What the bridges share lies in
 * one store: each bridge's parts that are not stated yet, and the last {@value #SHARED} statements.
 *
 * <p>{@link #lastUntil} may be called from any thread.
 */
public final class StatementKeeper {
  private static final Logger log = LoggerFactory.getLogger(StatementKeeper.class);

  private static final Duration PAUSE = Duration.ofSeconds(10);

  /** Time for which a statement waits after the comparison could have ended. */
  private static final Duration GRACE = Duration.ofMinutes(15);

  /** Statements in the store, from which a bridge that was away for two days can copy them. */
  private static final int SHARED = 48;

  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  /** Prefixes of the store's fields. */
  private static final String STATEMENT = "statement ";

  private static final String PART = "part ";

  private final SharedTexts store;
  private final OwnParts own;
  private final StatementFolder folder;
  private final PrivateKey key;
  private final Function<Instant, @Nullable CoverageReport> compared;
  private final Duration grace;
  private final InstantSource clock;
  private final PollingThread thread =
      new PollingThread("statements", PAUSE, this::runOnce, this::leave);
  private final RecurringWarning trouble =
      new RecurringWarning(log, "statements", System::nanoTime);

  /** Warns only once, because bridges with different keys keep removing each other's entries. */
  private final RecurringWarning strangers =
      new RecurringWarning(log, "statements of another key", System::nanoTime);

  /** The last statements, by number: those of the store, and those of the folder at first. */
  private final NavigableMap<Long, SignedStatement> chain = new TreeMap<>();

  /** Lines of the statements that are files. */
  private final Set<String> kept = new HashSet<>();

  /**
   * This bridge's parts that were not stated yet, by the fields of the store that have them. After
   * a failure this is the text that the store may have.
   */
  private Map<String, String> shared = new HashMap<>();

  /** Ids of all parts that were ever stated; null until one is older than the chain. */
  private @Nullable Set<String> formerly;

  private volatile Instant lastUntil;

  /**
   * Reads the key, and the last statements of the folder.
   *
   * @param bridge the bridge's name
   * @param accepted returns what the sink has accepted since it was opened
   * @param compared returns what the streams missed in an hour; null if that is not settled
   * @param window how late a copy may be
   * @throws ConfigException that names the file that can't be read
   */
  public StatementKeeper(
      StatementConfig config,
      String bridge,
      Counters counters,
      Supplier<Map<EventCounts.Source, Long>> accepted,
      SharedTexts store,
      Function<Instant, @Nullable CoverageReport> compared,
      Duration window,
      InstantSource clock)
      throws ConfigException {
    this.store = store;
    this.own = new OwnParts(counters, accepted, bridge, clock.instant());
    this.key = StatementKeys.privateKey(Path.of(config.key()));
    this.folder = new StatementFolder(Path.of(config.folder()));
    this.compared = compared;
    this.grace = window.plus(window.dividedBy(Sightings.REMEMBERED)).plus(GRACE);
    this.clock = clock;
    this.lastUntil = clock.instant();
    try {
      folder.create();
      folder.statements(SHARED).forEach(this::load);
    } catch (IOException e) {
      trouble.occurred("statements of " + folder + " can't be read (" + e + ")");
    }
  }

  /**
   * Takes a statement of the folder into the chain, which begins anew where the folder has a gap or
   * a fork.
   */
  private void load(SignedStatement statement) {
    if (!chain.isEmpty() && !statement.follows(chain.lastEntry().getValue())) {
      chain.clear();
    }
    put(statement);
    lastUntil = statement.until();
  }

  private void put(SignedStatement statement) {
    chain.put(statement.number(), statement);
    while (chain.size() > SHARED) {
      SignedStatement old = chain.pollFirstEntry().getValue();
      if (formerly != null) {
        old.parts().forEach(part -> formerly.add(part.id()));
      }
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

  /** Returns the end of the last stated hour; the bridge's start if there is none. */
  public Instant lastUntil() {
    return lastUntil;
  }

  private void leave() {
    own.end(clock.instant());
    runOnce();
  }

  /** Takes one turn; failures are told, and what was not done is tried again. */
  void runOnce() {
    Instant now = clock.instant();
    own.look(now);
    try {
      Map<String, String> texts = store.all();
      shared.replaceAll(texts::getOrDefault);
      Map<String, SignedStatement> known =
          chain.values().stream().collect(toMap(SignedStatement::line, Function.identity()));
      List<SignedStatement> stored =
          texts.entrySet().stream()
              .filter(each -> each.getKey().startsWith(STATEMENT))
              .map(Map.Entry::getValue)
              .map(line -> known.containsKey(line) ? known.get(line) : SignedStatement.parse(line))
              .filter(Objects::nonNull)
              .sorted(Comparator.comparingLong(SignedStatement::number))
              .toList();
      long last = chain.isEmpty() ? 0 : chain.lastKey();
      boolean allAreOurs = true;
      for (SignedStatement each : stored) {
        allAreOurs &= learn(each, now);
      }
      if (!chain.isEmpty() && chain.firstKey() - 1 > last) {
        wereStatedMeanwhile(now);
      }
      // While all that is there is of others with another key, their chain is left alone.
      boolean isStranger = chain.isEmpty() && !stored.isEmpty();
      Set<String> stated = stated();
      share(texts, stated, isStranger);
      SignedStatement next = isStranger ? null : next(waiting(texts, stated), now);
      if (next != null) {
        var change = new SharedTexts.Change(STATEMENT + next.number(), "", next.line());
        if (store.replace(List.of(change)).get(0).isEmpty()) {
          learn(next, now);
        }
      }
      keep();
      trouble.recovered();
      if (!allAreOurs) {
        strangers.occurred(
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
   * Adds a statement of the store to the chain if it follows the one before it. It replaces a
   * statement with the same number, and those after that.
   *
   * @return false if it follows, but is signed by another key
   */
  private boolean learn(SignedStatement statement, Instant now) throws GeneralSecurityException {
    long number = statement.number();
    SignedStatement known = chain.get(number);
    if (known != null && known.line().equals(statement.line())) {
      return true;
    }
    SignedStatement before = chain.get(number - 1);
    boolean follows =
        before != null
            ? statement.follows(before)
            : chain.isEmpty() || number > chain.lastKey() || number == chain.firstKey();
    if (!follows) {
      return true;
    }
    if (!statement.isSignedBy(key)) {
      return false;
    }
    if (known != null) {
      chain.tailMap(number, true).clear(); // they are of a chain that the others don't have
    } else if (before == null) {
      chain.clear(); // the store has forgotten what was between
      formerly = null;
    }
    put(statement);
    statement.parts().forEach(part -> own.stated(part, now));
    return true;
  }

  /**
   * Marks this bridge's shared parts of all hours before the chain as stated. Called when this
   * bridge was away for so long that the store no longer has the statements on those hours. Other
   * bridges have stated these parts as the store had them.
   */
  private void wereStatedMeanwhile(Instant now) {
    Instant hour = chain.firstEntry().getValue().hour();
    shared.forEach(
        (field, text) -> {
          BridgePart part = part(field, text);
          if (part != null && part.hour().isBefore(hour)) {
            own.stated(part, now);
          }
        });
  }

  /**
   * Stores this bridge's parts and the statements that the store has forgotten. Removes parts that
   * are stated or invalid, and statements that are not in the chain.
   */
  private void share(Map<String, String> texts, Set<String> stated, boolean isStranger)
      throws LedgerUnavailableException {
    Map<String, String> ours = new LinkedHashMap<>();
    own.parts().forEach(part -> ours.put(PART + part.id(), part.text()));
    Map<String, String> parts = new HashMap<>(ours);
    chain.values().forEach(each -> ours.put(STATEMENT + each.number(), each.line()));
    List<SharedTexts.Change> changes = new ArrayList<>();
    ours.forEach(
        (field, text) -> {
          String known = texts.getOrDefault(field, "");
          if (!text.equals(known)) {
            changes.add(new SharedTexts.Change(field, known, text));
          }
        });
    texts.forEach(
        (field, text) -> {
          boolean isOver =
              field.startsWith(PART)
                  ? stated.contains(field.substring(PART.length())) || part(field, text) == null
                  : !ours.containsKey(field) && !isStranger;
          if (isOver) {
            changes.add(new SharedTexts.Change(field, text, ""));
          }
        });
    shared = parts; // even if no answer comes
    store.replace(changes);
  }

  /** Returns the ids of the parts that are stated. */
  private Set<String> stated() {
    Set<String> stated = new HashSet<>();
    chain.values().forEach(each -> each.parts().forEach(part -> stated.add(part.id())));
    return stated;
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

  /** Whether a part of an hour before those of the chain is in a statement of the folder. */
  private boolean wasStated(BridgePart part) throws IOException {
    if (chain.size() < SHARED || !part.hour().isBefore(chain.firstEntry().getValue().hour())) {
      return false;
    }
    if (formerly == null) {
      formerly = new HashSet<>();
      folder
          .statements(Integer.MAX_VALUE)
          .flatMap(each -> each.parts().stream())
          .forEach(each -> formerly.add(each.id()));
    }
    return formerly.contains(part.id());
  }

  /** Returns the parts of all bridges that are not stated, the oldest first. */
  private List<BridgePart> waiting(Map<String, String> texts, Set<String> stated)
      throws IOException {
    List<BridgePart> waiting = new ArrayList<>();
    for (Map.Entry<String, String> text : texts.entrySet()) {
      BridgePart part = part(text.getKey(), text.getValue());
      if (part != null && !stated.contains(part.id()) && !wasStated(part)) {
        waiting.add(part);
      }
    }
    waiting.sort(Comparator.comparing(BridgePart::hour).thenComparing(BridgePart::id));
    return waiting;
  }

  /** Returns the next statement; null if its hour goes on or something is still waited for. */
  private @Nullable SignedStatement next(List<BridgePart> waiting, Instant now)
      throws GeneralSecurityException {
    if (waiting.isEmpty()) {
      return null;
    }
    SignedStatement last = chain.isEmpty() ? null : chain.lastEntry().getValue();
    Instant first = waiting.get(0).hour();
    Instant hour = last == null || first.isAfter(last.hour()) ? first : last.until();
    Instant end = hour.plus(1, ChronoUnit.HOURS);
    if (now.isBefore(end)) {
      return null;
    }
    // A part of an hour that is not yet is of a clock that was ahead, and is not waited for.
    List<BridgePart> parts =
        waiting.stream()
            .filter(part -> !part.hour().isAfter(hour) || part.hour().isAfter(now))
            .toList();
    CoverageReport streams = compared.apply(hour);
    boolean whole = streams != null && parts.stream().allMatch(BridgePart::ended);
    return whole || !now.isBefore(end.plus(grace))
        ? SignedStatement.of(last, hour, parts, streams, key)
        : null;
  }

  /** Writes the statements that are no files yet. */
  private void keep() throws IOException {
    for (SignedStatement each : chain.values()) {
      if (!kept.contains(each.line()) && folder.write(each)) {
        log.warn(
            "the chain has a fork at statement {}: another one is in {}; duplog statement verify"
                + " shows both",
            each.number(),
            folder);
      }
      kept.add(each.line());
    }
    kept.retainAll(chain.values().stream().map(SignedStatement::line).toList());
    if (!chain.isEmpty()) {
      lastUntil = chain.lastEntry().getValue().until();
    }
  }
}
