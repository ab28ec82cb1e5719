package io.duplog.senders;

import io.duplog.testkit.Script;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what is concluded from a sender's message headers, such as a wrong clock. */
class HeadersTest {
  private Headers headers = Headers.NONE;

  /**
   * Each word is a header: the milliseconds by which its time is ahead, {@code malformed}, or
   * {@code none} if no header was read. Words with {@code =} assert the statistics at that point.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          message that waited changes little, and the next one mends it | -90000 off=true -200 -120000 off=false -100 all=4,0,1,-100,-100
          sender that stays behind is so in the end | -90000 -200 -120000 20*(-300000) ahead=-299142
          malformed header says nothing of the clock | malformed -90000 none malformed all=3,2,0,-90000,-90000
          less than a minute is no zone | 59000 zone=false
          hour is a zone | 3600000 zone=true
          hours behind, and half a minute, are a zone | -18030000 zone=true
          half an hour more is a zone, and half a minute less | 19770000 zone=true
          minutes are no zone | 500000 zone=false
          quarter of an hour is no zone | 900000 zone=false
          day is no zone | 86400000 zone=false
          sender whose zone changes is in the new one at once | 7200000 3600000 zone=true ahead=3600000 0 off=false
          message is late that is a minute further behind than the one before | -500000 -500000 -560000 late=1
          message is not late that is less than a minute further behind | -500000 -500000 -559999 late=0
          another clock is not late | -500000 -500000 0 late=0
          message is late after one that was far ahead | -500000 -500000 9000000 -500000 -500000 late=1
          another zone is not late | 7200000 3600000 late=0
          year that nobody means says little after many headers | malformed 100*(0) 252000000000000 malformed=1 0 off=false
          what is long ago is forgotten | malformed 1100*(0) malformed=0
          """)
  void headers_afterSteps_areAsExpected(String what, String script) throws Exception {
    Script.run(what, script, this::add, this::actual);
  }

  private void add(String header) {
    Long ahead =
        switch (header) {
          case "none" -> null;
          case "malformed" -> (Long) Headers.Reader.MALFORMED;
          default -> (Long) Long.parseLong(header);
        };
    headers = headers.plus(ahead, "");
  }

  private Object actual(String about) {
    return switch (about) {
      case "all" -> headers.text();
      case "off" -> headers.isOff();
      case "zone" -> headers.isZone();
      case "late" -> headers.late();
      case "malformed" -> headers.malformed();
      case "ahead" -> headers.aheadMillis();
      default -> throw new IllegalArgumentException(about);
    };
  }
}
