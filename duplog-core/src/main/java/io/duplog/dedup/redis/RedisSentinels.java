package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
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
 * The server that the sentinels call the master. A thread of its own asks all of them, twice a
 * second and at once after a failed call; the one that knows of the latest failover is believed,
 * and none that knows only of an earlier one while that one is away. So nobody who judges waits for
 * a sentinel, except before the first answer, and as long as any sentinel answers that knows it
 * does not matter which.
 *
 * <p>Who still speaks with an old master, in a split network say, counts apart from the others:
 * that duplicates, and loses nothing.
 */
final class RedisSentinels implements RedisServers {
  private static final Logger log = LoggerFactory.getLogger(RedisSentinels.class);

  /**
   * What a sentinel says of the master.
   *
   * @param epoch of the failover that it knows of: the highest one is the last
   */
  private record Word(HostAndPort master, long epoch) {}

  private final RedisSettings settings;
  private final String master;
  private final List<RedisLocator> sentinels; // guarded by this
  private final RecurringWarning stale;
  private final RedisWatch watch =
      new RedisWatch("redis-sentinels", "the sentinels", RedisWatch.OFTEN, this::ask);
  private volatile @Nullable RedisServer server; // written while this is held

  /** How often the sentinels were asked and have answered, or not. Written while this is held. */
  private volatile long rounds;

  /** Of the latest failover that any of them ever knew of. Guarded by this. */
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
      watch.hurry(); // it may be another one by now
      throw e;
    }
  }

  /**
   * The server to ask now.
   *
   * @throws LedgerUnavailableException where nobody can say which it is
   */
  RedisServer current() throws LedgerUnavailableException {
    RedisServer known = server;
    return known != null ? known : first();
  }

  /** One asks; whoever comes meanwhile waits for that, and takes what it brought. */
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

  /** Only with the lock held. */
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
    // Where all of them say so, they were set up anew, and count from the beginning.
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
    // In this order: an address may be newer than its epoch, and must not be older.
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

  /** Waits for a sentinel that is being asked, a timeout each at most. */
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
