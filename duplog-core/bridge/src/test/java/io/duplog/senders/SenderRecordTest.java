package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that what bridges know about a sender survives being stored as text and read again. */
class SenderRecordTest {
  private static final String LEVELS = "0o".repeat(84);

  /** The longest possible record, as a list of its words. */
  private static final List<String> WORDS =
      List.of(
          "1764151200000",
          "3,300,1,150,2",
          "490041,490042,3," + LEVELS + ",20418" + ",7".repeat(14),
          "ai4b,3,2" + ",5".repeat(24) + ",4".repeat(24),
          "1,6,1764151200000,5,0,2",
          "12,3,2,-4500,-4400;r1;r1.example.com;10.1.2.7;fe80::1",
          "a",
          "1764151200000",
          "3",
          "1");

  @Test
  void text_isParsedToTheSameRecord() {
    String text = String.join(" ", WORDS);

    assertThat(SenderRecord.parse(text).text()).isEqualTo(text);
    assertThat(SenderRecord.parse(SenderRecord.EMPTY.text())).isEqualTo(SenderRecord.EMPTY);
  }

  /** LEVELS means 168 valid levels, and LEVELSp means 168 levels with an invalid last one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 | a
          1 | ''
          1 | 1,2,3,4
          1 | 1,2,3,4,5,6
          1 | a,b,c,d,e
          2 | ''
          2 | 1,2,3,000,4
          2 | -3,2,3,LEVELS,4
          2 | 3,2,3,LEVELS,4
          2 | 1,2,-3,LEVELS,4
          2 | a,b,c,d,e
          2 | 1,2,3,LEVELS,4,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5
          2 | 1,2,3,LEVELSp,4
          3 | ''
          3 | 1,2
          3 | 1,2,3,4
          3 | -1,2,3
          3 | 1,2,3,_,5
          3 | 1,2,3,zzzzzzzz,5
          3 | 1,2,3,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5
          4 | ''
          4 | 1,2,3,4,5
          4 | 1,2,3,4,5,6,7
          4 | a,b,c,d,e,f
          5 | ''
          5 | 1,2
          5 | 1,2,3,4,5,6
          5 | a,b,c,d,e
          5 | 1,2,3,4,5;a;b;c;d;e
          5 | 1,2,3,4,5;
          5 | 1,2,3,4,5;LEVELS
          5 | 1,2,3,4,5;"x
          9 | ''
          """)
  void invalidText_isNotARecord(int word, String text) {
    List<String> words = new ArrayList<>(WORDS);
    words.set(word, text.replace("LEVELSp", LEVELS.substring(1) + "p").replace("LEVELS", LEVELS));

    assertThat(SenderRecord.parse(String.join(" ", words))).isNull();
  }
}
