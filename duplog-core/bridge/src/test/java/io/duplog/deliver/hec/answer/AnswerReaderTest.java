package io.duplog.deliver.hec.answer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.hec.event.Gzip;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that each answer of Splunk leads to the right action, such as retrying, splitting or
 * refusing.
 */
public class AnswerReaderTest {
  /** The time 2023-10-11T22:14:15Z. */
  private static final long NOW_MILLIS = 1_697_062_455_000L;

  private static final OwnSecrets NONE = new OwnSecrets(List.of());

  private static Answer read(int status, @Nullable String retryAfter, String body) {
    return AnswerReader.read(
        new Reply(status, retryAfter, null, null, body.getBytes(UTF_8), NONE), NOW_MILLIS);
  }

  @ParameterizedTest
  @CsvFileSource(
      resources = "answers.csv",
      delimiter = '|',
      quoteCharacter = '\'',
      useHeadersInDisplayName = true)
  void everyAnswer_isClassifiedAsInTable(
      String source, int status, String body, String toEvents, String toEmpty) {
    Reply reply = new Reply(status, null, null, null, body.getBytes(UTF_8), NONE);
    String shown = shown(AnswerReader.read(reply, NOW_MILLIS));
    assertThat(toEvents.contains(":") ? shown.substring(0, toEvents.length()) : shown)
        .isEqualTo(toEvents);
    assertThat(AnswerReader.readEmpty(reply, NOW_MILLIS) == null ? "healthy" : "failed")
        .isEqualTo(toEmpty);
  }

  public static String shown(Answer answer) {
    if (answer instanceof Answer.Accepted accepted) {
      String id = accepted.ackId() == null ? "" : " " + accepted.ackId();
      return "Accepted" + id + (accepted.slowDown() ? ", slower" : "");
    }
    if (answer instanceof Answer.BadEvent bad) {
      return "BadEvent " + bad.event();
    }
    if (answer instanceof Answer.WrongIndex wrong) {
      return "WrongIndex " + wrong.event();
    }
    String remedy = answer.remedy().isEmpty() ? "" : ": " + answer.remedy();
    return answer.getClass().getSimpleName() + remedy;
  }

  /** The answers are compressed, start with a byte order mark, or have another charset. */
  @Test
  void answerInUnusualEncoding_isReadCorrectly_orIsAFailure() {
    String json = "{\"text\":\"Erfolg \u00fc\",\"code\":0}";
    byte[] bytes = json.getBytes(UTF_8);
    byte[] whole = Gzip.compressed(bytes, bytes.length);
    assertThat(read(whole)).isEqualTo("Accepted");
    assertThat(read(Arrays.copyOf(whole, whole.length - 9))).startsWith("Misconfigured");
    assertThat(read(("\ufeff" + json).getBytes(UTF_8))).isEqualTo("Accepted");
    assertThat(read(json.getBytes(ISO_8859_1))).isEqualTo("Accepted");
    assertThat(read(json.getBytes(UTF_16))).startsWith("Misconfigured");
  }

  private static String read(byte[] body) {
    return shown(AnswerReader.read(new Reply(200, null, null, null, body, NONE), NOW_MILLIS));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0                                | 0
          20                               | 20
          86400                            | 300
          999999999                        | 300
          9999999999                       |
          -1                               |
          soon                             |
          Wed, 11 Oct 2023 22:14:45 GMT    | 30
          Wed, 11 Oct 2023 22:14:05 GMT    |
          """)
  void retryAfter_isSecondsOrDate_andLimited(String header, @Nullable Long seconds) {
    Answer.Retry retry = (Answer.Retry) read(503, header, "");
    assertThat(retry.after()).isEqualTo(seconds == null ? null : Duration.ofSeconds(seconds));
  }

  @Test
  void ackId_isReadAsNumberOrText_afterOtherMembers() {
    assertThat(read(200, null, "{\"x\":{\"ackId\":1,\"code\":[9]},\"code\":0,\"ackId\":7}"))
        .isEqualTo(new Answer.Accepted(7L, false));
    assertThat(read(200, null, "{\"code\":\"0\",\"ackID\":\"8\"}"))
        .isEqualTo(new Answer.Accepted(8L, false));
    assertThat(read(200, null, "{\"code\":0,\"ackId\":-1}"))
        .isEqualTo(new Answer.Accepted(null, false));
  }

  @Test
  void truncatedAnswer_isTemporaryFailure() {
    String whole = "{\"text\":\"Success\",\"code\":0}";
    assertThat(read(200, null, "")).isInstanceOf(Answer.Misconfigured.class);
    for (int length = 1; length < whole.length(); length++) {
      assertThat(read(200, null, whole.substring(0, length))).isInstanceOf(Answer.Retry.class);
    }
    assertThat(read(200, null, whole)).isInstanceOf(Answer.Accepted.class);
  }

  @Test
  void cause_isOneShortLine() {
    Answer.Retry retry =
        (Answer.Retry) read(502, null, "<html>\n\u001b[2J<h1>Bad" + " gateway".repeat(100));
    assertThat(retry.cause())
        .startsWith("answers 502 (<html> [2J<h1>Bad gateway")
        .hasSizeLessThan(230);
    assertThat(retry.cause()).matches("[^\\p{Cntrl}]*");
  }

  @Test
  void randomBytes_areClassified() {
    Random random = new Random(1);
    String letters = "{}[]\":,0123456789codeackId\\ \n";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder body = new StringBuilder(i % 2 == 0 ? "{\"code\":" : "");
      for (int n = random.nextInt(30); n > 0; n--) {
        body.append(letters.charAt(random.nextInt(letters.length())));
      }
      assertThat(read(i % 3 == 0 ? 200 : 400, null, body.toString())).isNotNull();
    }
  }

  @Test
  void answerWithoutBody_isDescribedByItsStatus() {
    Answer answer = AnswerReader.read(new Reply(407, null, null, null, null, NONE), NOW_MILLIS);
    assertThat(((Answer.Misconfigured) answer).cause()).isEqualTo("answers 407");
  }

  /**
   * The answers are Splunk's text, JSON, HTML, and escaped characters. One more is cut off at the
   * end of the excerpt, with a redirect.
   */
  @ParameterizedTest
  @CsvSource({
    "'{\"code\":4,\"text\":\"Not to-ken/7=\"}',     'answers 403 (code 4, Not ***)'",
    "'{\"text\":\"Authorization: to-ken\\/7=\"}', answers 403 (Authorization: ***)",
    "'<b>to-ken/7=</b> <i>pass word</i>',       answers 403 (<b>***</b> <i>***</i>)",
    "to&#45;ken&#x2F;7%3D and pass%20word,      answers 403 (***3D and ***)",
  })
  void ownSecrets_repeatedInAnswer_areRemoved(String page, String shown) {
    OwnSecrets own = new OwnSecrets(List.of("to-ken/7=", "pass word", ""));
    String far = "x".repeat(195);
    Reply reply = new Reply(403, null, null, null, page.getBytes(UTF_8), own);
    Reply cut = new Reply(301, null, far + "to-ken/7=", null, (far + page).getBytes(UTF_8), own);

    assertThat(AnswerReader.read(reply, NOW_MILLIS).cause()).isEqualTo(shown);
    assertThat(AnswerReader.read(cut, NOW_MILLIS).cause()).doesNotContain("ken", "pass");
  }
}
