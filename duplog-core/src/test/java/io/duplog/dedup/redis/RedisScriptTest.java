package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.io.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RedisScriptTest {
  @Test
  void probe_triesEachCommandOfTheOtherScripts() throws Exception {
    Set<String> called = new TreeSet<>();
    for (String script :
        new String[] {
          "prologue", "judge", "advance", "leave", "exchange", "remove", "settle", "tally"
        }) {
      called.addAll(found("redis\\.call\\('([A-Z]+)'", script));
    }

    assertThat(found("try\\('([A-Z]+)'", "probe")).containsExactlyElementsOf(called);
  }

  private static Set<String> found(String call, String script) throws IOException {
    String text =
        Resources.toString(
            Resources.getResource(RedisScript.class, script + ".lua"), StandardCharsets.UTF_8);
    Set<String> commands = new TreeSet<>();
    Pattern.compile(call)
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .forEach(commands::add);
    return commands;
  }
}
