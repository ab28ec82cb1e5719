package io.duplog.dedup.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.base.Splitter;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Tallies;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import redis.clients.jedis.params.ZRangeParams;

/** The tallies in Redis, beside the ledger; the scripts say what is stored. */
final class RedisTallies implements Tallies {
  private final RedisScript tally = new RedisScript("tally");
  private final RedisScript settle = new RedisScript("settle");
  private final RedisServers servers;
  private final byte[] key;
  private final byte[] bridge;
  private final byte[] window;
  private final byte[] silence;
  private final Bounds bounds;
  private final Supplier<byte[]> token;

  RedisTallies(
      RedisServers servers,
      byte[] key,
      byte[] bridge,
      byte[] window,
      Duration silence,
      Bounds bounds,
      Supplier<byte[]> token) {
    this.servers = servers;
    this.key = key;
    this.bridge = bridge;
    this.window = window;
    this.silence = ascii(silence.toMillis());
    this.bounds = bounds;
    this.token = token;
  }

  @Override
  public Added add(Addition addition) throws LedgerUnavailableException {
    List<byte[]> arguments = new ArrayList<>();
    arguments.addAll(List.of(token.get(), bridge, window, silence, ascii(addition.epoch())));
    arguments.add(ascii(addition.sequence()));
    arguments.add(ascii(addition.countedUntil()));
    arguments.add(flag(addition.leaving()));
    arguments.add(ascii(bounds.periodMillis()));
    arguments.add(ascii(bounds.senders()));
    arguments.add(ascii(addition.volume()));
    arguments.add(ascii(addition.period()));
    arguments.add(flag(addition.overflowed()));
    arguments.add(flag(addition.wantsNames()));
    arguments.add(ascii(addition.doubtful()));
    arguments.add(ascii(addition.totals()));
    arguments.add(ascii(String.join(",", addition.streams())));
    addition
        .senders()
        .forEach(
            (name, counts) -> {
              arguments.add(ascii(name));
              arguments.add(ascii(counts));
            });
    List<?> answer = run(tally, arguments);
    return new Added(
        text(answer.get(0)),
        Splitter.on(',').omitEmptyStrings().splitToList(text(answer.get(8))),
        number(answer.get(1)),
        number(answer.get(2)),
        number(answer.get(3)),
        number(answer.get(4)),
        number(answer.get(5)),
        text(answer.get(6)).equals("1"),
        ((List<?>) answer.get(7)).stream().map(RedisTallies::text).toList());
  }

  @Override
  public Map<String, String> read(long period) throws LedgerUnavailableException {
    Map<String, String> fields = new HashMap<>();
    servers
        .ask(redis -> redis.hgetAll(key("period:" + period)))
        .forEach((field, value) -> fields.put(text(field), text(value)));
    return fields;
  }

  @Override
  public void settle(Settlement settlement) throws LedgerUnavailableException {
    List<byte[]> arguments = new ArrayList<>();
    arguments.addAll(List.of(token.get(), bridge, window, ascii(settlement.epoch())));
    arguments.add(ascii(settlement.settled()));
    arguments.add(ascii(settlement.period()));
    arguments.add(ascii(settlement.summary()));
    arguments.add(ascii(settlement.keepFrom()));
    arguments.add(ascii(settlement.hour()));
    arguments.add(ascii(settlement.hourSummary()));
    arguments.add(ascii(settlement.keepHoursFrom()));
    settlement.regulars().forEach(name -> arguments.add(ascii(name)));
    run(settle, arguments);
  }

  @Override
  public List<String> history(long afterPeriod) throws LedgerUnavailableException {
    return servers
        .ask(
            redis ->
                redis.zrange(
                    key("history"),
                    ZRangeParams.zrangeByScoreParams(afterPeriod + 1.0, Double.POSITIVE_INFINITY)))
        .stream()
        .map(RedisTallies::text)
        .toList();
  }

  @Override
  public List<String> hours() throws LedgerUnavailableException {
    return servers.ask(redis -> redis.zrange(key("hours"), 0, -1)).stream()
        .map(RedisTallies::text)
        .toList();
  }

  private List<?> run(RedisScript script, List<byte[]> arguments)
      throws LedgerUnavailableException {
    return servers.ask(redis -> script.run(redis, key, arguments));
  }

  private byte[] key(String name) {
    return ascii(new String(key, StandardCharsets.ISO_8859_1) + name);
  }

  private static byte[] flag(boolean value) {
    return ascii(value ? 1 : 0);
  }

  private static byte[] ascii(long value) {
    return ascii(Long.toString(value));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static long number(Object answer) {
    return Long.parseLong(text(answer));
  }

  private static String text(Object answer) {
    return new String((byte[]) answer, ISO_8859_1);
  }
}
