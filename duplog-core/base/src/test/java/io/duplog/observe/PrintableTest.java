package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that logins and parameters are removed from URLs before a text is logged or shown. */
class PrintableTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "redis://:SECRET@redis:6379 | redis://***@redis:6379",
        "not 'https://user:SECRET@splunk:8088' here | not 'https://***@splunk:8088' here",
        "https://SECRET@splunk | https://***@splunk",
        "amqps://u:SE/C#R?E@T@rabbit:5671/%2f | amqps://***@rabbit:5671/%2f",
        "//u:SECRET@splunk | //***@splunk",
        "https://a.example,https://u:SECRET@b.example | https://***@b.example",
        "'duplog:SECRET@redis:6379' | '***@redis:6379'",
        ":SECRET@redis | ***@redis",
        "(user:SE'CRET@redis) | (***@redis)",
        "https://splunk:8088?token=SECRET | https://splunk:8088?***",
        "'https://splunk/x?SECRET', then | 'https://splunk/x?***', then",
        "https://splunk/#access_token=SECRET | https://splunk/#***",
        "https://splunk/x?a=SECRET&b=SECRET#c | https://splunk/x?***",
        "at index 8: https://u:SECRET@h?token=SECRET | at index 8: https://***@h?***",
        "splunk:8088?token=SECRET | splunk:8088?***",
        "https://u:SECRET@a and http://v:SECRET@b | https://***@a and http://***@b",
        "Illegal character: ftp+ssl://u:%53ECRET@h/ | Illegal character: ftp+ssl://***@h/",
        "http://[::1]:80/@x | http://[::1]:80/@x",
        "'https://[fe80::1%eth0]/a@b?token=SECRET' | 'https://[fe80::1%eth0]/a@b?***'",
        "http://10.0.0.1:80/@x or http://10.0.0.1#@x | http://10.0.0.1:80/@x or http://10.0.0.1#***",
        "http://[::1]:80/a,https://u:SECRET@b | http://[::1]:80/a,https://***@b",
        "http://[::1]:80/,http://10.0.0.1/,u:SECRET@b | http://[::1]:80/,http://10.0.0.1/***@b",
        "http://10.0.0.1:SECRET/x@h | http://***@h",
        "redis://:80/SECRET@h redis://u:80/SECRET@h | redis://***@h redis://***@h",
        "https://h?| https://h?",
        "https://h??SECRET') | https://h?***')",
        "h?x?a=SECRET | h?x?***",
        "what? nothing = well | what? nothing = well",
        "mail admin@example.com or duplog@10.0.0.1:5672/ | mail admin@example.com or duplog@10.0.0.1:5672/",
        "https://splunk:8088/a: refused (10.0.0.1:80) | https://splunk:8088/a: refused (10.0.0.1:80)",
        "duplog.yaml:3: streams[0].port must be 1 to 65535 | duplog.yaml:3: streams[0].port must be 1 to 65535",
      })
  void redacted_loginsAndParameters_areReplaced(String text, String shown) {
    assertThat(Printable.redacted(text)).isEqualTo(shown).doesNotContain("SECRET");
  }

  /**
   * Each word has a megabyte. The running time must be linear in its length; otherwise each word
   * takes an hour.
   */
  @ParameterizedTest
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @ValueSource(
      strings = {
        "https://user:",
        "//",
        "?",
        "a?b",
        "#x",
        ":",
        "://[::1]:80/",
        "a?b=",
        "?a?a=:",
        "@:",
        "[",
        "//1."
      })
  void redacted_longWord_takesLinearTime(String part) {
    String word = part.repeat((1 << 20) / part.length());
    for (String text :
        List.of(word, word + "@", "//u:SECRET@h?" + word + "/", word + "?x=SECRET")) {
      assertThat(Printable.redacted(text).contains("SECRET")).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://u:SEC RET@h, https://***@h",
    "u:SEC RET@h:1, ***@h:1",
    "https://h?a=SEC RET, https://h?***"
  })
  void redactedWord_addressWithBlanks_isRedacted(String word, String shown) {
    assertThat(Printable.redactedWord(word)).isEqualTo(shown);
  }
}
