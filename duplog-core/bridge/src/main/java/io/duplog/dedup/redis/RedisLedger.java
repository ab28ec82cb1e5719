package io.duplog.dedup.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.dedup.BridgeNotes;
import io.duplog.dedup.BrokerAgreement;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Epoch;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerRefusedException;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Revocation;
import io.duplog.dedup.SharedTexts;
import io.duplog.dedup.Sightings;
import io.duplog.dedup.StreamMembership;
import io.duplog.dedup.StreamSet;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.Term;
import io.duplog.wire.StreamBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.params.SetParams;

/**
 * Deduplicates in Redis: counts the copies of messages by Lua scripts, in a Redis that all bridges
 * of a deployment share. {@link #judge}, {@link #advance}, {@link #leave} and {@link #exchange} run
 * one Lua script each, which is one round trip and one atomic step. The scripts document what is
 * stored.
 *
 * @see "docs/decisions/redis.md#digest-hashes"
 */
public final class RedisLedger implements Ledger, GuardedLedger.Probe {
  private static final Logger log = LoggerFactory.getLogger(RedisLedger.class);
  private static final String PROCESS_MARK = "#";
  private static final int PROBE_MILLIS = 1000;

  /**
   * Version of the data layout in Redis. A bridge is rejected while bridges with another layout
   * live.
   */
  private static final int LAYOUT = 6;

  /**
   * Character in the answer of {@code judge.lua} for a kept copy, to which the age of the copy's
   * digest in generations is added.
   */
  private static final int KEPT = 'K';

  private static final int DROPPED = 'd';

  private final RedisScript judgeScript = new RedisScript("judge");
  private final RedisScript advanceScript = new RedisScript("advance");
  private final RedisScript leaveScript = new RedisScript("leave");
  private final RedisScript exchangeScript = new RedisScript("exchange");

  private final RedisConfig config;
  private final RedisPart part;
  private final String bridge;
  private final Duration window;
  private final Duration lease;
  private final StreamMembership streams;

  /** Window, identity and data layout as text, which Redis stores after the streams. */
  private final String agreement;

  private final Term term = new Term();

  /** Ledgers that this one replaces while they are unavailable, or empty unless this is a spare. */
  private volatile List<RedisLedger> mainLedgers = List.of();

  /** Id of the server's process as last queried, or null if it is not known. */
  private volatile @Nullable String runId;

  /** {@link System#nanoTime} at the lease's last renewal. Used only by the advancing thread. */
  private long leaseRenewalNanos;

  private RedisLedger(
      RedisConfig config,
      RedisPart part,
      String bridge,
      List<String> streams,
      Duration window,
      Identity identity,
      Duration lease) {
    this.config = config;
    this.part = part;
    this.bridge = bridge;
    this.window = window;
    this.lease = lease;
    this.streams = new StreamMembership(streams, log::info, log::warn);
    this.agreement = agreement(window, identity);
  }

  /**
   * Creates a ledger for each part, in the order of the parts' numbers. Without a cluster there is
   * only one part. Each ledger has its own epoch. The ledgers share connections, which are opened
   * by the first call.
   *
   * @param bridge a name without white space that is unique to this process
   * @param streams names of this bridge's streams; {@link Claim#stream()} is an index into this
   *     list
   */
  public static List<RedisLedger> ofParts(
      RedisStore store,
      String bridge,
      List<String> streams,
      Duration window,
      Identity identity,
      Duration lease) {
    RedisConfig config = store.config();
    return RedisPart.all(store).stream()
        .map(part -> new RedisLedger(config, part, bridge, streams, window, identity, lease))
        .toList();
  }

  /**
   * Makes this ledger a spare for the given ledgers. It refuses to count while it uses the server
   * of one of them, which would be no spare. Must be called first.
   */
  public void setMainLedgers(List<RedisLedger> others) {
    mainLedgers = List.copyOf(others);
  }

  /** Returns a bridge's configured name, given the unique name that {@link #processOf} made. */
  static String nameOf(String bridge) {
    return BridgeNotes.configuredName(bridge);
  }

  /**
   * Returns a name that is unique to this process, so that a bridge is not confused with a dead one
   * of the same configured name.
   */
  public static String processOf(String name) {
    return spaceless(name) + PROCESS_MARK + UUID.randomUUID();
  }

  static String spaceless(String name) {
    return name.replaceAll("\\s", "_");
  }

  /**
   * Returns the terms that all bridges must share, as text. The default identity is left out,
   * because bridges of earlier versions do not name theirs.
   */
  static String agreement(Duration window, Identity identity) {
    String other =
        identity == Identity.SENDER_AND_MESSAGE ? "" : "identity " + identity.text() + ", ";
    return " (window " + window.toMillis() + " ms, " + other + "layout " + LAYOUT + ")";
  }

  /** Returns the store's name for log lines, such as {@code Redis 10.0.0.1:6379}. */
  public String name() {
    return "Redis "
        + (config.cluster() == null ? "" : part.prefix() + " in the ")
        + config.address();
  }

  @Override
  public Judgement judge(Claim claim) throws LedgerUnavailableException {
    // Read before the call. If the lease lapses and is renewed in the meantime, the batch must have
    // the old term.
    int asked = term.number();
    RedisAnswer answer =
        part.run(
            judgeScript,
            List.of(
                RedisPart.token(),
                bridge,
                window.toMillis(),
                claim.batchId(),
                streams.configured().get(claim.stream()),
                claim.digests().packed()));
    String kind = answer.text(0);
    if (kind.equals("lapsed")) {
      return new Judgement.LeaseLapsed();
    }
    if (kind.equals("elsewhere")) {
      return new Judgement.HeldElsewhere();
    }
    if (!kind.equals("counted")) {
      throw new LedgerUnavailableException("Redis gave an unknown answer: " + kind, null, true);
    }
    byte[] letters = answer.bytes(3);
    if (letters.length != 1 && letters.length != claim.digests().count()) {
      throw new LedgerUnavailableException(
          "batch id " + claim.batchId() + " is in use for another batch", null, false);
    }
    return new Judgement.Counted(
        new Epoch(answer.text(1), asked),
        answer.number(2),
        kept(letters, claim.digests().count()),
        answer.flag(4),
        sightings(letters, answer.text(5)));
  }

  @Override
  public Horizon advance(Progress progress) throws LedgerUnavailableException {
    if (!mainLedgers.isEmpty()) {
      checkIsOtherServer();
    }
    List<Object> arguments = new ArrayList<>();
    arguments.addAll(List.of(RedisPart.token(), bridge, window.toMillis(), lease.toMillis()));
    arguments.addAll(List.of(String.join(",", streams.read()) + agreement, !term.hasBegun()));
    arguments.addAll(List.of(progress.revocationsAfter(), progress.listOwn()));
    arguments.add(StreamBroker.text(progress.brokers()));
    arguments.add(progress.done().size());
    for (Progress.Done done : progress.done()) {
      arguments.addAll(List.of(done.batchId(), done.epoch().token(), done.number()));
    }
    arguments.addAll(progress.revoke());
    RedisAnswer answer = part.run(advanceScript, arguments);
    String token = answer.text(0);
    if (token.equals("refused")) {
      throw streams.refusedBy(answer.text(1), agreement);
    }
    if (token.equals("elsewhere")) {
      BrokerAgreement.Conflict conflict =
          new BrokerAgreement.Conflict(
              answer.text(1), answer.text(2), StreamBroker.decoded(answer.text(3)));
      throw new LedgerRefusedException(
          BrokerAgreement.refusal(progress.brokers(), conflict, config.prefix()));
    }
    streams.learn(StreamSet.parse(answer.text(6)));
    renewTerm(answer.flag(1));
    return new Horizon(
        new Epoch(token, term.number()),
        answer.number(2),
        answer.number(3),
        answer.list(4).stream().map(each -> revocation((byte[]) each)).toList(),
        answer.flag(7),
        answer.texts(5));
  }

  /**
   * Throws if this ledger uses a server of one of the main ledgers. Queries the main ledgers'
   * server ids only once; {@link #findHazard} queries them later. A call therefore never waits for
   * an unavailable main ledger.
   */
  private void checkIsOtherServer() throws LedgerUnavailableException {
    String known = runId;
    String own = known == null ? readRunId() : known;
    for (RedisLedger other : mainLedgers) {
      if (!term.hasBegun()) {
        other.tryToReadRunId();
      }
      if (own != null && own.equals(other.runId)) {
        throw new LedgerRefusedException(
            "it is the server of dedup.redis under another name; configure a Redis on another host");
      }
    }
  }

  private @Nullable String readRunId() throws LedgerUnavailableException {
    String read = part.servers().ask(RedisFacts::runId);
    runId = read;
    return read;
  }

  private void tryToReadRunId() {
    try {
      readRunId();
    } catch (LedgerUnavailableException e) {
      log.debug("{} does not say which server it is", name(), e);
    }
  }

  /**
   * Starts a new term if the lease lapsed. A lease that may have lapsed by this host's clock counts
   * as lapsed, because the answer that reported it may have been lost.
   */
  private void renewTerm(boolean lapsed) {
    long now = System.nanoTime();
    term.renew(lapsed || now - leaseRenewalNanos > lease.toNanos());
    leaseRenewalNanos = now;
  }

  @Override
  public void leave() throws LedgerUnavailableException {
    part.run(leaveScript, List.of(RedisPart.token(), bridge, window.toMillis()));
  }

  @Override
  public List<Note> exchange(List<Note> own) throws LedgerUnavailableException {
    List<Object> arguments = new ArrayList<>(List.of(RedisPart.token(), bridge, window.toMillis()));
    for (Note note : own) {
      arguments.addAll(
          List.of(note.subject().getBytes(UTF_8), note.text().getBytes(UTF_8), note.ageMillis()));
    }
    RedisAnswer answer = part.run(exchangeScript, arguments);
    List<Note> all = new ArrayList<>();
    for (int i = 0; i + 2 < answer.size(); i += 3) {
      all.add(
          new Note(
              new String(answer.bytes(i), UTF_8),
              new String(answer.bytes(i + 1), UTF_8),
              answer.number(i + 2)));
    }
    return all;
  }

  /**
   * Checks whether Redis answers and lets this user write. The key that is written expires after a
   * second.
   *
   * @throws LedgerUnavailableException if Redis can't be reached or refuses the write
   */
  @Override
  public void probe() throws LedgerUnavailableException {
    SetParams briefly = SetParams.setParams().px(PROBE_MILLIS);
    part.servers().ask(redis -> redis.set(part.key("probe:" + bridge), "writable", briefly));
  }

  @Override
  public @Nullable String findHazard() throws LedgerUnavailableException {
    readRunId();
    RedisFacts.Memory memory =
        part.servers().ask(redis -> RedisFacts.memory(RedisFacts.fields(redis.info())));
    if (memory.mayEvictAnything()) {
      return "%s: maxmemory-policy is %s. %s. Set maxmemory-policy volatile-ttl."
          .formatted(name(), memory.policy(), RedisFacts.EVICTS_ANYTHING);
    }
    return part.servers().ask(redis -> RedisInspection.forgets(redis, part))
        ? "%s: %s. %s. To fix it, %s."
            .formatted(
                name(),
                memory.causeOfForgetting(),
                RedisFacts.FORGOTTEN,
                memory.remedyOfForgetting())
        : null;
  }

  /**
   * Sets the action that runs when another server has taken over and may be available. Thread-safe.
   */
  public void onMove(Runnable listener) {
    part.servers().onMove(listener);
  }

  @Override
  public Tallies tallies(Duration period) {
    return new RedisTallies(part, bridge, window, agreement, lease, period);
  }

  @Override
  public SharedTexts texts(String name) {
    return new RedisTexts(part, name);
  }

  @Override
  public void close() {
    part.close();
  }

  private static BitSet kept(byte[] letters, int count) {
    BitSet kept = new BitSet(count);
    for (int i = 0; i < count; i++) {
      kept.set(i, letters[letters.length == 1 ? 0 : i] < DROPPED);
    }
    return kept;
  }

  private static @Nullable Sightings sightings(byte[] letters, String generation) {
    if (generation.isEmpty()) {
      return null;
    }
    byte[] ages = new byte[letters.length];
    for (int i = 0; i < ages.length; i++) {
      ages[i] = (byte) (letters[i] - (letters[i] < DROPPED ? KEPT : DROPPED));
    }
    return new Sightings(Long.parseLong(generation), ages);
  }

  /** Parses a revocation, whose form is {@code number revoked expires digests}. */
  private static Revocation revocation(byte[] entry) {
    long[] numbers = new long[3];
    int at = 0;
    for (int i = 0; i < numbers.length; i++) {
      int space = at;
      while (entry[space] != ' ') {
        space++;
      }
      numbers[i] = Long.parseLong(new String(entry, at, space - at, ISO_8859_1));
      at = space + 1;
    }
    return new Revocation(
        numbers[1], numbers[0], new Digests(Arrays.copyOfRange(entry, at, entry.length)));
  }
}
