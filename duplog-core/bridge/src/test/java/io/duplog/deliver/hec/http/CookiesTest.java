package io.duplog.deliver.hec.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the HEC sink stores and returns a load balancer's cookies by RFC 6265. */
class CookiesTest {
  private static final String PATH = "/services/collector/event";

  private Instant wall = Instant.parse("2026-11-29T10:00:00Z");
  private long nanos = -Duration.ofHours(1).toNanos();

  private Cookies at(String url) {
    return new Cookies(URI.create(url), () -> wall.toEpochMilli(), () -> nanos);
  }

  private static String sent(Cookies cookies, String url) {
    return String.join(
        "|", cookies.get(URI.create(url), Map.of()).getOrDefault("Cookie", List.of()));
  }

  private String afterwards(String url, String... set) {
    Cookies cookies = at(url);
    cookies.put(URI.create(url + PATH), Map.of("set-cookie", List.of(set)));
    return sent(cookies, url + PATH);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "lb=A1; Path=/; Max-Age=3600 | lb=A1",
        "lb=A1;Version=1;Path=/ | lb=A1",
        "lb=\"A1\"; Version=\"1\"; Max-Age=10 | lb=\"A1\"",
        "lb=\"a;b\" | lb=\"a",
        "lb=a,b=c; Path=/ | lb=a,b=c",
        "lb=a b c | lb=a b c",
        "lb==a=b= | lb==a=b=",
        "lb= | lb=",
        "  lb \t=\t A1 \t; Path=/ | lb=A1",
        "$Version=1; Path=/ | $Version=1",
        "BIGipServer~Common~hec_8088=rd5o00000000000000000000ffff0a010203o8088; path=/; Httponly; Secure | BIGipServer~Common~hec_8088=rd5o00000000000000000000ffff0a010203o8088",
        "AWSALB=xyz/+==; Expires=Sun, 06 Dec 2026 10:00:00 GMT; Path=/; SameSite=None | AWSALB=xyz/+==",
        "NSC_ESNS={1:2}<3>; expires=Sun, 29-Nov-26 10:02:00 GMT;path=/;httponly | NSC_ESNS={1:2}<3>",
        "lb=A1; Comment=x; Discard; Port=\"1\"; CommentURL=\"u\"; nonsense; =; ; | lb=A1",
      })
  void value_isSentBackUnchanged(String set, String sent) {
    assertThat(afterwards("https://splunk.example.com:8088", set)).isEqualTo(sent);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      value = {"lb", "''", "=A1", ";lb=A1", "lb=a\u0001b", "lb=\u00e9", "lb=a\u007f"})
  void invalidCookie_isIgnored(String set) {
    assertThat(afterwards("https://a.example", set)).isEmpty();
  }

  @Test
  void severalSetCookieHeaders_setOneCookieEach_andOtherHeadersNone() {
    Cookies cookies = at("https://a.example");
    cookies.put(
        URI.create("https://a.example" + PATH),
        Map.of(
            "Set-Cookie", List.of("a=1; Max-Age=60", "b=2", "c=3, d=4"),
            "Set-Cookie2", List.of("e=5"),
            "Cookie", List.of("f=6")));
    assertThat(sent(cookies, "https://a.example" + PATH)).isEqualTo("a=1; b=2; c=3, d=4");
  }

  @ParameterizedTest
  @CsvSource({
    "splunk.example.com, '', true",
    "splunk.example.com, splunk.example.com, true",
    "splunk.example.com, .example.com, true",
    "splunk.example.com, EXAMPLE.com, true",
    "Splunk.Example.Com, splunk.example.com, true",
    "splunk.example.com., example.com, true",
    "splunk.example.com, other.example.com, false",
    "splunk.example.com, x.splunk.example.com, false",
    "splunk.example.com, ample.com, false",
    "splunk.example.com, ., true",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 2.3, false",
    "[::1], [::1], true",
    "[::1], 1], false",
  })
  void domain_mustBeHostOrItsParent(String host, String domain, boolean isSent) {
    assertThat(afterwards("https://" + host + ":8088", "a=1; Domain=" + domain))
        .isEqualTo(isSent ? "a=1" : "");
  }

  @ParameterizedTest
  @CsvSource({
    "/, /services/collector/ack, true",
    "'', /services/collector/ack, true",
    "relative, /services/collector/ack, true",
    "'', /services/other, false",
    "/services, /services/collector/event, true",
    "/services/, /services/collector/event, true",
    "/serv, /services/collector/event, false",
    "/services/collector/event, /services/collector/event, true",
    "/services/collector/event/, /services/collector/event, false",
    "/SERVICES, /services/collector/event, false",
    "/services/collector/event, /services/collector/event?channel=1, true",
  })
  void path_mustBeRequestPathOrItsParent(String path, String asked, boolean isSent) {
    Cookies cookies = at("https://a.example:8088/");
    cookies.put(
        URI.create("https://10.0.0.1:8088" + PATH),
        Map.of("Set-Cookie", List.of("a=1; Path=" + path)));
    assertThat(sent(cookies, "https://10.0.0.2:8088" + asked)).isEqualTo(isSent ? "a=1" : "");
  }

  @Test
  void secureCookie_isNotSentOverHttp() {
    assertThat(afterwards("http://a.example", "a=1; secure", "b=2")).isEqualTo("b=2");
    assertThat(afterwards("https://a.example", "a=1; Secure=x", "b=2")).isEqualTo("a=1; b=2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Max-Age=60 | 59 | true",
        "Max-Age=60 | 60 | false",
        "Max-Age=0 | 0 | false",
        "Max-Age=-1 | 0 | false",
        "Max-Age=-99999999999999999999 | 0 | false",
        "Max-Age=99999999999999999999 | 99999999 | true",
        "Max-Age=60; Max-Age=5 | 5 | false",
        "Max-Age=60s | 9999 | true",
        "Max-Age=+60 | 9999 | true",
        "Max-Age= | 9999 | true",
        "Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT | 59 | true",
        "Expires=Thu, 01 Jan 1970 00:00:00 GMT | 0 | false",
        "Expires=Sun, 29 Nov 2026 10:01:00 GMT | 59 | true",
        "Expires=Sun, 29 Nov 2026 10:01:00 GMT | 60 | false",
        "Expires=Sunday, 29-Nov-26 10:01:00 GMT | 60 | false",
        "Expires=Sun Nov 29 10:01:00 2026 | 60 | false",
        "Expires=29 November 2026 10:1:0 | 60 | false",
        "Expires=Fri, 01-Jan-99 00:00:00 | 0 | false",
        "Expires=Sun, 31 Feb 2027 10:01:00 GMT | 9999 | true",
        "Expires=Sun, 29 Nov 1600 10:01:00 GMT | 9999 | true",
        "Expires=Sun, 29 Nov 2026 | 9999 | true",
        "Expires=0 | 9999 | true",
        "Expires= | 9999 | true",
        "HttpOnly | 9999 | true",
      })
  void cookie_isSent_untilItExpires(String attributes, long seconds, boolean isSent) {
    Cookies cookies = at("https://a.example");
    cookies.put(
        URI.create("https://a.example" + PATH),
        Map.of("Set-Cookie", List.of("a=1; " + attributes)));
    nanos += Duration.ofSeconds(seconds).toNanos();
    wall = Instant.EPOCH; // a step of the wall clock must not matter
    assertThat(sent(cookies, "https://a.example" + PATH)).isEqualTo(isSent ? "a=1" : "");
  }

  @Test
  void cookie_isReplacedOrDeleted_byCookieWithSameNameDomainAndPath() {
    String url = "https://a.example.com";
    assertThat(afterwards(url, "a=1", "b=2", "a=3")).isEqualTo("a=3; b=2");
    assertThat(afterwards(url, "a=1", "b=2", "a=gone; Max-Age=0")).isEqualTo("b=2");
    assertThat(afterwards(url, "a=1", "a=2; Domain=a.example.com")).isEqualTo("a=2");
    assertThat(afterwards(url, "a=1; Path=/", "a=2; Path=/services", "A=3"))
        .isEqualTo("A=3; a=2; a=1");
  }

  @Test
  void newestCookies_areKept_includingRenewedOnes() {
    Cookies cookies = at("https://a.example");
    URI asked = URI.create("https://a.example" + PATH);
    for (int i = 0; i <= Cookies.MAX_COOKIES; i++) {
      cookies.put(asked, Map.of("Set-Cookie", List.of("c" + i + "=x", "lb=A1; Max-Age=60")));
    }
    assertThat(sent(cookies, asked.toString()))
        .startsWith("lb=A1; ")
        .contains("c2=x")
        .doesNotContain("c0=x", "c1=x");
    cookies.clear();
    assertThat(sent(cookies, asked.toString())).isEmpty();
  }
}
