package io.duplog.parts;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RsyslogIT {
  private static final String OUT = "/tmp/received";

  static Rsyslog rsyslog;

  @BeforeAll
  static void start() {
    rsyslog = Rsyslog.idle();
    rsyslog.start(
        """
        template(name="raw" type="string" string="%rawmsg%\\n")
        action(type="omfile" file="/tmp/received" template="raw")
        """);
  }

  @AfterAll
  static void stop() {
    rsyslog.close();
  }

  @Test
  void message_byEitherTransport_isReceivedByteForByte() throws Exception {
    rsyslog.sendUdp(message("by udp \u00ff\u00fe"));
    awaitReceived(1);
    rsyslog.sendTcp(message("by tcp \u00c3("), message("by tcp, " + "x".repeat(64 * 1024)));
    awaitReceived(3);

    rsyslog.stop();
    rsyslog.start();
    rsyslog.sendUdp(message("after restart"));
    awaitReceived(4);

    assertThat(received().get(0)).isEqualTo("<13>Nov 21 05:00:00 host app: by udp \u00ff\u00fe");
    assertThat(received().get(1)).isEqualTo("<13>Nov 21 05:00:00 host app: by tcp \u00c3(");
    assertThat(received().get(2)).hasSizeGreaterThan(64 * 1024).endsWith("xx");
    assertThat(received().get(3)).endsWith("after restart");
  }

  @Test
  void runtime_forTheShim_isThere() {
    assertThat(rsyslog.run("java", "--version")).contains("OpenJDK");
  }

  private static byte[] message(String text) {
    return ("<13>Nov 21 05:00:00 host app: " + text).getBytes(ISO_8859_1);
  }

  private static void awaitReceived(int messages) {
    Awaitility.await().atMost(Part.PATIENCE).until(() -> received().size() >= messages);
  }

  private static List<String> received() {
    rsyslog.run("touch", OUT);
    return new String(rsyslog.read(OUT), ISO_8859_1).lines().toList();
  }
}
