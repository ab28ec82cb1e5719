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
 * Tests that rsyslog with the shipped 60-duplog.conf reads the same message from TCP as from UDP,
 * even with digits, line feeds or NUL.
 */
class DeployedInputsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final String LOOPBACK = "127.0.0.1";
  private static final String MESSAGE_PREFIX = "<13>Nov 21 05:00:00 host app: ";

  private @TempDir Path root;
  private Path receivedFile;
  private Rsyslog rsyslog;

  /** Starts rsyslog. A program that appends lines to a file replaces the shim. */
  @BeforeEach
  void start() throws Exception {
    receivedFile = Files.createFile(root.resolve("received"));
    Path program =
        Files.writeString(root.resolve("program"), "#!/bin/sh\nexec cat >>" + receivedFile);
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
    rsyslog.server().awaitReady(TIMEOUT);
  }

  @AfterEach
  void stop() {
    rsyslog.server().requestStop();
    rsyslog.server().awaitStop(TIMEOUT);
  }

  @Test
  void tcpLine_beginsWithDigits_isSameMessageAsByUdp() throws Exception {
    List<String> messages =
        List.of(
            "2 of the next",
            MESSAGE_PREFIX + "1st",
            "12:30 o'clock",
            "0",
            "99999999 x",
            MESSAGE_PREFIX + "2nd");

    Syslog.sendLines(rsyslog, messages);
    List<String> tcpLines = awaitLines(messages.size());
    for (String message : messages) {
      Syslog.sendDatagram(rsyslog, LOOPBACK, message);
    }

    List<String> allLines = awaitLines(2 * messages.size());
    assertThat(allLines.subList(messages.size(), allLines.size()))
        .containsExactlyInAnyOrderElementsOf(tcpLines);
    assertThat(tcpLines).allMatch(line -> messages.contains(line.substring(line.indexOf(' ') + 1)));
  }

  @Test
  void countedMessage_containsLineFeeds_isSameMessageAsByUdp() throws Exception {
    String message = MESSAGE_PREFIX + "first\n2 lines\tof\u00ff it\n";

    Syslog.sendDatagram(rsyslog, LOOPBACK, message);
    Syslog.sendCounted(rsyslog, List.of(message, MESSAGE_PREFIX + "next"));

    List<String> readLines = awaitLines(3);
    assertThat(readLines)
        .filteredOn(line -> line.contains("first#0122 lines#011of\u00ff it"))
        .hasSize(2);
    assertThat(readLines.stream().distinct()).hasSize(2);
  }

  /** Appliances that end messages with NUL keep their connection open, like others. */
  @ParameterizedTest
  @ValueSource(strings = {"\0", "\n", "\r\n", "\0\n", "\n\0"})
  void tcpMessage_endsWithNulOrLineFeed_isOneMessageOnEveryPort(String end) throws Exception {
    List<String> messages = IntStream.range(0, 1500).mapToObj(i -> MESSAGE_PREFIX + i).toList();
    for (int port : List.of(rsyslog.port(), rsyslog.countedPort())) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        String all = String.join(end, messages) + end;
        socket.getOutputStream().write(all.getBytes(ISO_8859_1));
      }
    }

    String keptCharacter = end.startsWith("\r") ? "#015" : "";
    List<String> twice = Stream.concat(messages.stream(), messages.stream()).toList();
    assertThat(awaitLines(twice.size()))
        .containsExactlyInAnyOrderElementsOf(
            twice.stream().map(each -> LOOPBACK + " " + each + keptCharacter).toList());
  }

  /**
   * A sender that counts bytes may send NUL anywhere: inside a message, at its end or between
   * messages.
   */
  @Test
  void countedMessage_containsNul_keepsNulAsEscape() throws Exception {
    Syslog.sendCounted(
        rsyslog,
        List.of(MESSAGE_PREFIX + "in\0side", MESSAGE_PREFIX + "end\0", MESSAGE_PREFIX + "next"));

    assertThat(awaitLines(3))
        .containsExactly(
            LOOPBACK + " " + MESSAGE_PREFIX + "in#000side",
            LOOPBACK + " " + MESSAGE_PREFIX + "end",
            LOOPBACK + " " + MESSAGE_PREFIX + "next");
  }

  private List<String> awaitLines(int messages) throws IOException {
    await().until(() -> readLines().size() >= messages);
    return readLines();
  }

  private List<String> readLines() throws IOException {
    return Files.readString(receivedFile, ISO_8859_1).lines().toList();
  }
}
