package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        "what? nothing = well | what? nothing = well",
        "mail admin@example.com or duplog@10.0.0.1:5672/ | mail admin@example.com or duplog@10.0.0.1:5672/",
        "https://splunk:8088/a: refused (10.0.0.1:80) | https://splunk:8088/a: refused (10.0.0.1:80)",
        "duplog.yaml:3: streams[0].port must be 1 to 65535 | duplog.yaml:3: streams[0].port must be 1 to 65535",
      })
  void loginsAndParameters_areNotShown(String text, String shown) {
    assertThat(Printable.redacted(text)).isEqualTo(shown).doesNotContain("SECRET");
  }

  @ParameterizedTest
  @CsvSource({
    "https://u:SEC RET@h, https://***@h",
    "u:SEC RET@h:1, ***@h:1",
    "https://h?a=SEC RET, https://h?***"
  })
  void aSingleAddress_mayHaveBlanks(String word, String shown) {
    assertThat(Printable.redactedWord(word)).isEqualTo(shown);
  }
}
