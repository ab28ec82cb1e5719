package io.duplog.dedup.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.base.Splitter;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Tallies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.params.ZRangeParams;

/**
 * Stores the bridges' counts of messages and copies in Redis, beside the ledger. The scripts
 * document what is stored.
 *
 * @param terms the agreed terms other than the streams, as {@link RedisLedger#agreement} returns
 *     them
 * @param silence time without a call after which a bridge counts as dead
 */
record RedisTallies(
    RedisPart part, String bridge, Duration window, String terms, Duration silence, Duration period)
    implements Tallies {
  private static final RedisScript TALLY = new RedisScript("tally");
  private static final RedisScript SETTLE = new RedisScript("settle");

  @Override
  public State update(Update update) throws LedgerUnavailableException {
    OwnCounts counts = update.counts();
    List<Object> arguments = new ArrayList<>();
    arguments.addAll(List.of(RedisPart.token(), bridge, window.toMillis(), silence.toMillis()));
    arguments.addAll(List.of(terms, update.number(), update.countedUntil(), update.leaving()));
    arguments.addAll(List.of(period.toMillis(), update.volume()));
    arguments.add(String.join(",", update.streams()));
    arguments.addAll(List.of(counts.period(), counts.token(), counts.unwritten()));
    arguments.addAll(List.of(counts.doubtful(), counts.text()));
    RedisAnswer answer = part.run(TALLY, arguments);
    return new State(
        answer.text(0),
        Splitter.on(',').omitEmptyStrings().splitToList(answer.text(6)),
        answer.number(1),
        answer.number(2),
        answer.number(3),
        answer.number(4),
        answer.number(5));
  }

  @Override
  public Map<String, String> read(long period) throws LedgerUnavailableException {
    Map<String, String> fields = new HashMap<>();
    part.servers()
        .ask(redis -> redis.hgetAll(key("period:" + period)))
        .forEach((field, value) -> fields.put(RedisAnswer.text(field), RedisAnswer.text(value)));
    return fields;
  }

  @Override
  public void settle(Settlement settlement) throws LedgerUnavailableException {
    List<Object> arguments = new ArrayList<>();
    arguments.addAll(List.of(RedisPart.token(), bridge, window.toMillis(), settlement.era()));
    arguments.add(settlement.settled());
    for (Remembered each : List.of(settlement.period(), settlement.hour())) {
      arguments.addAll(List.of(each.number(), each.summary(), each.keepFrom()));
    }
    part.run(SETTLE, arguments);
  }

  @Override
  public Forgotten forgotten() throws LedgerUnavailableException {
    return part.servers().ask(redis -> forgotten(redis, part));
  }

  /** Reads when a part of the ledger forgot digests too soon, as noted by {@code prologue.lua}. */
  static Forgotten forgotten(UnifiedJedis redis, RedisPart part) {
    String noted = redis.get(part.key("forgotten"));
    if (noted == null) {
      return Forgotten.NOTHING;
    }
    int space = noted.indexOf(' ');
    return new Forgotten(
        Long.parseLong(noted.substring(0, space)), Long.parseLong(noted.substring(space + 1)));
  }

  @Override
  public List<String> history(long afterPeriod) throws LedgerUnavailableException {
    ZRangeParams later =
        ZRangeParams.zrangeByScoreParams(afterPeriod + 1.0, Double.POSITIVE_INFINITY);
    return RedisAnswer.texts(part.servers().ask(redis -> redis.zrange(key("history"), later)));
  }

  @Override
  public List<String> hours() throws LedgerUnavailableException {
    return RedisAnswer.texts(part.servers().ask(redis -> redis.zrange(key("hours"), 0, -1)));
  }

  private byte[] key(String name) {
    return part.key(name).getBytes(ISO_8859_1);
  }
}
