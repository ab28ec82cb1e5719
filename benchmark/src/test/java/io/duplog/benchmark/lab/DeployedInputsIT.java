package io.duplog.benchmark.lab;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.rig.LabDirectory;
import io.duplog.rig.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests what becomes of one message by the transports of 60-duplog.conf: one line, or the copies
 * part.
 */
class DeployedInputsIT {
  private static final Duration WHILE = Duration.ofSeconds(90);
  private static final String HERE = "127.0.0.1";
  private static final String MESSAGE = "<13>Nov 21 05:00:00 host app: ";

  private @TempDir Path root;
  private Path received;
  private Rsyslog rsyslog;

  /** A program that appends lines to a file replaces the shim. */
  @BeforeEach
  void start() throws Exception {
    received = Files.createFile(root.resolve("received"));
    Path program = Files.writeString(root.resolve("program"), "#!/bin/sh\nexec cat >>" + received);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    String omprog = "binary=\"%s\" output=\"%s.log\"".formatted(program, program);
    String installed =
        LabJars.text("60-duplog.conf").replaceFirst("(?s)binary=.*output=\"[^\"]*\"", omprog);
    Ports ports = new Ports();
    rsyslog =
        new Rsyslog(
            "syslog-a",
            new LabDirectory(root.resolve("lab")),
            ports.next(),
            ports.next(),
            installed,
            Map.of());
    rsyslog.server().start();
    rsyslog.server().awaitReady(WHILE);
  }

  @AfterEach
  void stop() {
    rsyslog.server().requestStop();
    rsyslog.server().awaitStop(WHILE);
  }

  @Test
  void lineThatBeginsWithDigits_swallowsNothing_andIsTheSameByUdp() throws Exception {
    List<String> messages =
        List.of(
            "2 of the next", MESSAGE + "1st", "12:30 o'clock", "0", "99999999 x", MESSAGE + "2nd");

    Syslog.sendLines(rsyslog, messages);
    List<String> byTcp = received(messages.size());
    for (String message : messages) {
      Syslog.sendDatagram(rsyslog, HERE, message);
    }

    List<String> byBoth = received(2 * messages.size());
    assertThat(byBoth.subList(messages.size(), byBoth.size()))
        .containsExactlyInAnyOrderElementsOf(byTcp);
    assertThat(byTcp).allMatch(line -> messages.contains(line.substring(line.indexOf(' ') + 1)));
  }

  @Test
  void messageWithLineFeeds_withItsOctetsCounted_isTheSameByUdp() throws Exception {
    String message = MESSAGE + "first\n2 lines\tof\u00ff it\n";

    Syslog.sendDatagram(rsyslog, HERE, message);
    Syslog.sendCounted(rsyslog, List.of(message, MESSAGE + "next"));

    List<String> lines = received(3);
    assertThat(lines)
        .filteredOn(line -> line.contains("first#0122 lines#011of\u00ff it"))
        .hasSize(2);
    assertThat(lines.stream().distinct()).hasSize(2);
  }

  /** Appliances that end messages with NUL keep their connection, as others do. */
  @ParameterizedTest
  @ValueSource(strings = {"\0", "\n", "\r\n", "\0\n", "\n\0"})
  void messageEndsWithNulOrLineFeed_onEveryPort(String end) throws Exception {
    List<String> messages = IntStream.range(0, 1500).mapToObj(i -> MESSAGE + i).toList();
    for (int port : List.of(rsyslog.port(), rsyslog.countedPort())) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        String all = String.join(end, messages) + end;
        socket.getOutputStream().write(all.getBytes(ISO_8859_1));
      }
    }

    String kept = end.startsWith("\r") ? "#015" : "";
    List<String> twice = Stream.concat(messages.stream(), messages.stream()).toList();
    assertThat(received(twice.size()))
        .containsExactlyInAnyOrderElementsOf(
            twice.stream().map(each -> HERE + " " + each + kept).toList());
  }

  /**
   * A sender that counts bytes may send NUL anywhere: inside a message, at its end or between
   * messages.
   */
  @Test
  void countedMessage_keepsItsNul() throws Exception {
    Syslog.sendCounted(rsyslog, List.of(MESSAGE + "in\0side", MESSAGE + "end\0", MESSAGE + "next"));

    assertThat(received(3))
        .containsExactly(
            HERE + " " + MESSAGE + "in#000side",
            HERE + " " + MESSAGE + "end",
            HERE + " " + MESSAGE + "next");
  }

  private List<String> received(int messages) throws IOException {
    await().until(() -> lines().size() >= messages);
    return lines();
  }

  private List<String> lines() throws IOException {
    return Files.readString(received, ISO_8859_1).lines().toList();
  }
}
