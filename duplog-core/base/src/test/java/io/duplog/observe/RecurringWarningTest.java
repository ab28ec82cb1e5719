package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Tests that a lasting failure is logged once when it begins, once when its cause changes, and once
 * when it ends.
 */
class RecurringWarningTest {
  private final RecurringWarning warning =
      new RecurringWarning(LoggerFactory.getLogger(RecurringWarningTest.class), "x", () -> 0);

  private List<String> linesOf(String causes) throws Exception {
    return LogLines.of(
        RecurringWarningTest.class,
        () ->
            causes
                .chars()
                .mapToObj(Character::toString)
                .forEach(cause -> warning.occurred("away", cause, cause)));
  }

  @Test
  void oneFailure_whoseCausesAlternate_isOneLine() throws Exception {
    assertThat(linesOf("abcabcabbaab")).containsExactly("WARN a");
    assertThat(warning.current()).isEqualTo("b");
  }

  @Test
  void causeThatLasts_isSaidToo() throws Exception {
    assertThat(linesOf("aaabbbbbaaac"))
        .containsExactly(
            "WARN a", "WARN b (another cause than before)", "WARN a (another cause than before)");
  }

  @Test
  void nothingIsSaidForEver() throws Exception {
    assertThat(linesOf("aaabbb".repeat(100))).hasSize(RecurringWarning.MOST_TOLD);
    warning.recovered();
    assertThat(linesOf("aaabbb")).hasSize(2);
  }

  @Test
  void absence_isOneCause_howeverItShows() {
    Exception refused = new SSLHandshakeException("expired");
    refused.initCause(new CertificateException("expired"));
    Exception brokenOff = new SSLException("reset", new SocketException("Connection reset"));

    assertThat(
            Stream.of(
                new ConnectException("refused"),
                new SocketException("Connection reset"),
                new SocketTimeoutException("no answer"),
                new EOFException(),
                new IllegalStateException("Unexpected end of stream"),
                brokenOff))
        .extracting(each -> RecurringWarning.causeOf(new IOException("x", each), "words"))
        .containsOnly("");
    assertThat(
            Stream.of(
                refused,
                new SSLHandshakeException("Received fatal alert: bad_certificate"),
                new UnknownHostException("splunk"),
                new ConnectException().initCause(new UnresolvedAddressException())))
        .extracting(each -> RecurringWarning.causeOf(new IOException("x", each), "words"))
        .containsOnly("words");
    IOException circle = new IOException();
    circle.initCause(new IOException(circle));
    assertThat(RecurringWarning.causeOf(circle, "words")).isEmpty();
  }

  @Test
  void anotherKind_isSaidAtOnce() throws Exception {
    assertThat(
            LogLines.of(
                RecurringWarningTest.class,
                () -> {
                  warning.occurred("away", "a", "a");
                  warning.occurred("refused", "b", "b");
                  warning.occurred("refused", "b");
                }))
        .containsExactly("WARN a", "WARN b");
  }
}
