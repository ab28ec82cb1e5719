package io.duplog.dedup.redis;

import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** A script of this package's resources. */
final class RedisScript {
  private final byte[] source;
  private final byte[] sha1;

  /**
   * Behind the prologue that all share that read or write what bridges do.
   *
   * @param name the resource's name without its ending
   */
  RedisScript(String name) {
    this(List.of("prologue", name));
  }

  @SuppressWarnings("deprecation") // SHA-1 is how Redis names its scripts; it protects nothing
  private RedisScript(List<String> names) {
    String text = names.stream().map(RedisScript::load).collect(Collectors.joining());
    source = text.getBytes(StandardCharsets.UTF_8);
    sha1 = Hashing.sha1().hashBytes(source).toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Without the prologue. */
  static RedisScript alone(String name) {
    return new RedisScript(List.of(name));
  }

  /** Sends it whole, whether or not the server knows it. */
  void introduce(UnifiedJedis redis, byte[] key) {
    redis.eval(source, List.of(key), List.of());
  }

  /** Runs it by its hash, and sends it whole where the server does not know it yet. */
  List<?> run(UnifiedJedis redis, byte[] key, List<byte[]> arguments) {
    Object answer;
    try {
      answer = redis.evalsha(sha1, List.of(key), arguments);
    } catch (JedisNoScriptException e) {
      answer = redis.eval(source, List.of(key), arguments);
    }
    return answer instanceof List<?> list ? list : List.of();
  }

  private static String load(String name) {
    try {
      return Resources.toString(
          Resources.getResource(RedisScript.class, name + ".lua"), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("script " + name + " is missing from the jar", e);
    }
  }
}
