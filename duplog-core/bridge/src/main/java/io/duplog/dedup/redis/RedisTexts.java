package io.duplog.dedup.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.collect.Lists;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.SharedTexts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stores the texts that all bridges share in Redis, in one hash with a field for each text.
 *
 * @param name the end of the hash's key
 */
record RedisTexts(RedisPart part, String name) implements SharedTexts {
  private static final RedisScript REPLACE = RedisScript.alone("texts");

  /** Limit of texts in one call, so that Redis answers other clients in between. */
  private static final int MAX_TEXTS_PER_CALL = 1000;

  @Override
  public Map<String, String> all() throws LedgerUnavailableException {
    byte[] key = part.key(name).getBytes(ISO_8859_1);
    Map<String, String> texts = new HashMap<>();
    List<byte[]> names = List.copyOf(part.servers().ask(redis -> redis.hkeys(key)));
    for (List<byte[]> some : Lists.partition(names, MAX_TEXTS_PER_CALL)) {
      List<byte[]> values =
          part.servers().ask(redis -> redis.hmget(key, some.toArray(byte[][]::new)));
      for (int i = 0; i < values.size(); i++) {
        if (values.get(i) != null) {
          texts.put(RedisAnswer.text(some.get(i)), RedisAnswer.text(values.get(i)));
        }
      }
    }
    return texts;
  }

  @Override
  public List<String> replace(List<Change> changes) throws LedgerUnavailableException {
    List<Object> arguments = new ArrayList<>(List.of(name));
    for (Change change : changes) {
      arguments.addAll(List.of(change.name(), change.known(), change.next()));
    }
    return RedisAnswer.texts(part.run(REPLACE, arguments).elements());
  }
}
