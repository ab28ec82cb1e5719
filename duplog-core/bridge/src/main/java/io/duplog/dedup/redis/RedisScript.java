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

/** Loads one of the ledger's Lua scripts and runs it in Redis. */
final class RedisScript {
  private final byte[] source;
  private final byte[] sha1;

  /**
   * Loads a script after the prologue, which all scripts share that use the bridges' data.
   *
   * @param name the resource's name without its extension
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

  /** Loads a script without {@code prologue.lua}, if it uses no data of an epoch. */
  static RedisScript alone(String name) {
    return new RedisScript(List.of(name));
  }

  /**
   * Sends the source and runs it without arguments, so that the server knows the script afterwards.
   */
  void introduce(UnifiedJedis redis, String key) {
    redis.eval(source, List.of(encode(key)), List.of());
  }

  /**
   * Runs the script by its hash. Sends the source if the server does not know the script yet.
   *
   * @param arguments byte arrays are sent unchanged, true as 1, false as 0, and everything else as
   *     text in ISO 8859-1
   */
  RedisAnswer run(UnifiedJedis redis, String key, List<?> arguments) {
    List<byte[]> keys = List.of(encode(key));
    List<byte[]> encoded = arguments.stream().map(RedisScript::encode).toList();
    Object answer;
    try {
      answer = redis.evalsha(sha1, keys, encoded);
    } catch (JedisNoScriptException e) {
      answer = redis.eval(source, keys, encoded);
    }
    return new RedisAnswer(answer instanceof List<?> list ? list : List.of());
  }

  private static byte[] encode(Object argument) {
    if (argument instanceof byte[] bytes) {
      return bytes;
    }
    String text = argument instanceof Boolean flag ? (flag ? "1" : "0") : argument.toString();
    return text.getBytes(StandardCharsets.ISO_8859_1);
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
