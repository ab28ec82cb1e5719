package io.duplog.parts;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What becomes of one message by the transports of 60-duplog.conf: one line, or the copies part.
 */
class DeployedInputsIT {
  private static final String OUT = "/tmp/received";
  private static final String MESSAGE = "<13>Nov 21 05:00:00 host app: ";

  private final Rsyslog rsyslog = Rsyslog.idle();

  @BeforeEach
  void start() {
    rsyslog.startAsDeployed(
        Deployed.text("rsyslog/60-duplog.conf")
            .replaceFirst(
                "(?s)action\\(type=\"omprog\".*",
                "action(type=\"omfile\" file=\"%s\" template=\"duplog\")\n}\n".formatted(OUT)));
  }

  @AfterEach
  void stop() {
    rsyslog.close();
  }

  @Test
  void lineThatBeginsWithDigits_swallowsNothing_andIsTheSameByUdp() throws Exception {
    List<String> messages =
        List.of(
            "2 of the next", MESSAGE + "1st", "12:30 o'clock", "0", "99999999 x", MESSAGE + "2nd");

    rsyslog.sendLines(bytes(String.join("\n", messages) + "\n"));
    List<String> byTcp = received(messages.size());
    rsyslog.run("truncate", "-s", "0", OUT);
    for (String message : messages) {
      rsyslog.sendUdp(bytes(message));
    }

    assertThat(received(messages.size())).containsExactlyInAnyOrderElementsOf(byTcp);
    assertThat(byTcp).allMatch(line -> messages.contains(line.substring(line.indexOf(' ') + 1)));
  }

  @Test
  void messageWithLineFeeds_withItsOctetsCounted_isTheSameByUdp() throws Exception {
    byte[] message = bytes(MESSAGE + "first\n2 lines\tof\u00ff it\n");

    rsyslog.sendUdp(message);
    rsyslog.sendTcp(message, bytes(MESSAGE + "next"));

    List<String> lines = received(3);
    assertThat(lines)
        .filteredOn(line -> line.contains("first#0122 lines#011of\u00ff it"))
        .hasSize(2);
    assertThat(lines.stream().distinct()).hasSize(2);
  }

  private List<String> received(int messages) {
    rsyslog.run("touch", OUT);
    Awaitility.await().atMost(Part.PATIENCE).until(() -> lines().size() >= messages);
    return lines();
  }

  private List<String> lines() {
    return new String(rsyslog.read(OUT), ISO_8859_1).lines().toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
