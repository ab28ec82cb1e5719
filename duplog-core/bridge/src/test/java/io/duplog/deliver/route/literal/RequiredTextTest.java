package io.duplog.deliver.route.literal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which texts a message must contain to match a regular expression, and that they are found
 * quickly.
 */
class RequiredTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      textBlock =
          """
          # expression ; texts ; sufficient
          abc                  ; abc        ; true
          a\\.b\\|c            ; a.b|c      ; true
          a\\tb                ; a\tb       ; true
          abc|de               ; abc,de     ; true
          a{b                  ; a{b        ; true
          a{x}                 ; a{x}       ; true
          ab|c*                ; ""         ; false
          ab|                  ; ""         ; false
          abc.*de              ; abc        ; false
          ab+cd                ; cd         ; false
          abc?de               ; ab         ; false
          a{2}bc               ; bc         ; false
          a{2,}?bc             ; bc         ; false
          ^ab$                 ; ab         ; false
          a\\dbcd              ; bcd        ; false
          a(?:bcd|efg)h        ; bcd,efg    ; false
          a(bcd|efg)*h         ; a          ; false
          ab(?:c|d*)e          ; ab         ; false
          (?:ab|cd)            ; ab,cd      ; false
          a[^]b]cd             ; cd         ; false
          a[\\]b]cd            ; cd         ; false
          aäbcd                ; bcd        ; false
          (?i)abc              ; ""         ; false
          (?P<n>abc)           ; ""         ; false
          a[[:alpha:]]bc       ; ""         ; false
          \\Qabc\\E            ; ""         ; false
          \\x41bc              ; ""         ; false
          \\pLabc              ; ""         ; false
          [abc]                ; ""         ; false
          """)
  void texts_areThoseThatMustBeThere(String expression, String texts, boolean sufficient) {
    assertThat(RequiredText.of(expression))
        .isEqualTo(
            new RequiredText(Splitter.on(',').omitEmptyStrings().splitToList(texts), sufficient));
  }

  /** The text is at each offset, at the very end, and cut off or begun too early. */
  @Test
  void textAlone_isFoundWhereverItStands() {
    for (String text : List.of("x", "xy", "xxyx", "xy-longer than eight")) {
      RequiredText wanted = RequiredText.of("none|" + text);
      for (int blanks = 0; blanks < 20; blanks++) {
        byte[] data =
            ("wy".repeat(10).substring(blanks) + text + "\u0080\u00f8")
                .getBytes(StandardCharsets.ISO_8859_1);
        int at = 20 - blanks;
        for (int start = 0; start < data.length; start++) {
          for (int end = start; end <= data.length; end++) {
            assertThat(wanted.isIn(data, start, end))
                .isEqualTo(start <= at && end >= at + text.length());
          }
        }
      }
    }
  }

  /** The texts are searched alone, and together in one search. */
  @Test
  void search_findsEachText_whereverItStands() {
    List<RequiredText> wanted =
        List.of(RequiredText.of("second|another"), RequiredText.UNKNOWN, RequiredText.of("cond-"));
    TextSearch search = new TextSearch(wanted);
    for (int blanks = 0; blanks < 20; blanks++) {
      byte[] data = (" ".repeat(blanks) + "second-\u00ff").getBytes(StandardCharsets.ISO_8859_1);
      for (int start = 0; start < data.length; start++) {
        for (int end = start; end <= data.length; end++) {
          long[] found = new long[1];
          boolean any = search.find(data, start, end, found);
          long first = start <= blanks && end >= blanks + 6 ? 1 : 0;
          long third = start <= blanks + 2 && end >= blanks + 7 ? 4 : 0;
          assertThat(found[0]).isEqualTo(first | third);
          assertThat(any).isEqualTo(found[0] != 0);
        }
      }
    }
  }
}
