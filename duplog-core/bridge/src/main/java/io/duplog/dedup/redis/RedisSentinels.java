package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.observe.PollingThread;
import io.duplog.observe.RecurringWarning;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The server that the sentinels call the master. A thread asks all sentinels, twice a second and at
 * once after a failed call. It believes the sentinel that knows of the latest failover. While that
 * one is away, it does not believe those that know only of earlier failovers. Judging does not wait
 * for a sentinel, except for the first answer.
 *
 * <p>A bridge that still asks an old master, for instance in a split network, counts apart from the
 * others. That causes duplicates, but no losses.
 *
 * @see "docs/decisions/cluster.md#sentinel-asked"
 */
final class RedisSentinels implements RedisAccess {
  private static final Logger log = LoggerFactory.getLogger(RedisSentinels.class);

  /**
   * What a sentinel says of the master.
   *
   * @param epoch number of the latest failover that the sentinel knows of; a higher one is later
   */
  private record Word(HostAndPort master, long epoch) {}

  private final RedisSettings settings;
  private final String master;
  private final List<RedisLocator> sentinels; // guarded by this
  private final RecurringWarning stale;
  private final PollingThread watch =
      new PollingThread("redis-sentinels", RedisAccess.LOOK_EVERY, this::ask);
  private volatile @Nullable RedisServer server; // written while this is held

  /**
   * Number of finished rounds of asking the sentinels, answered or not. Written only with this
   * locked.
   */
  private volatile long rounds;

  /** Number of the latest failover that any sentinel has reported. Guarded by this. */
  private long epoch;

  private volatile Runnable told = () -> {};

  RedisSentinels(RedisSettings settings, RedisSentinelSettings sentinel) {
    this.settings = settings;
    this.master = sentinel.master();
    this.sentinels = RedisLocator.sentinels(sentinel, settings.timeout());
    this.stale = new RecurringWarning(log, "sentinels of '" + master + "'", System::nanoTime);
  }

  @Override
  public <T> T ask(Function<UnifiedJedis, T> question) throws LedgerUnavailableException {
    RedisServer asked = current();
    try {
      return asked.ask(question);
    } catch (LedgerUnavailableException e) {
      watch.hurry(); // the master may be another server by now
      throw e;
    }
  }

  /**
   * Returns the server to ask now; asks the sentinels if none is known yet.
   *
   * @throws LedgerUnavailableException if no sentinel says which server that is
   */
  RedisServer current() throws LedgerUnavailableException {
    RedisServer known = server;
    return known != null ? known : first();
  }

  /**
   * Asks the sentinels for the first time. Other threads wait for the one that asks, and share its
   * result.
   */
  private RedisServer first() throws LedgerUnavailableException {
    long roundsBefore = rounds;
    synchronized (this) {
      if (server == null && rounds == roundsBefore) {
        ask();
      }
      watch.start();
    }
    RedisServer found = server;
    if (found == null) {
      throw new LedgerUnavailableException(
          "Redis unavailable (none of the sentinels %s says where the master '%s' is)"
              .formatted(sentinels, master),
          null,
          false);
    }
    return found;
  }

  @Override
  public void onMove(Runnable listener) {
    told = listener;
  }

  private synchronized void ask() {
    if (watch.isClosed()) {
      return;
    }
    try {
      askAll();
    } finally {
      rounds++;
    }
  }

  /**
   * Asks all sentinels for the master, and uses the answer with the latest failover. Must be called
   * with this locked.
   */
  private void askAll() {
    Word latest = null;
    int answers = 0;
    for (RedisLocator sentinel : sentinels) {
      Word word = sentinel.ask(this::word);
      if (word != null) {
        answers++;
        latest = latest == null || word.epoch() > latest.epoch() ? word : latest;
      }
    }
    if (latest == null) {
      return;
    }
    // If all sentinels answer with lower epochs, they were set up anew and count from the
    // beginning.
    if (latest.epoch() < epoch && answers < sentinels.size()) {
      stale.occurred(
          "no sentinel that answers knows of the last failover of the Redis master '%s': it is taken to be %s, as the last one that knew had said"
              .formatted(master, server));
      return;
    }
    stale.recovered();
    epoch = latest.epoch();
    moveTo(latest.master());
  }

  private Word word(Jedis sentinel) {
    // The epoch is read first, because the address may be newer than the epoch but must not be
    // older.
    long epochNow =
        Long.parseLong(sentinel.sentinelMaster(master).getOrDefault("config-epoch", "0"));
    List<String> found = sentinel.sentinelGetMasterAddrByName(master);
    if (found == null || found.size() != 2) {
      throw new JedisException("it knows no master of that name");
    }
    return new Word(new HostAndPort(found.get(0), Integer.parseInt(found.get(1))), epochNow);
  }

  private synchronized void moveTo(HostAndPort place) {
    RedisServer before = server;
    if (before != null && before.place().equals(place)) {
      return;
    }
    server = new RedisServer(settings, place);
    if (before == null) {
      log.info("the Redis master '{}' is {}", master, place);
      return;
    }
    log.warn(
        "the Redis master '{}' is {} now, and was {}: what that had counted is not known any more,"
            + " which costs duplicates and no message",
        master,
        place,
        before);
    before.close();
    told.run();
  }

  /** Closes all connections, after waiting for a round of questions to the sentinels to end. */
  @Override
  public void close() {
    watch.close();
    synchronized (this) {
      sentinels.forEach(RedisLocator::close);
      RedisServer last = server;
      if (last != null) {
        last.close();
      }
    }
  }
}
