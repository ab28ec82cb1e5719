package io.duplog.rig;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the error about a test server that did not start contains the end of its log. */
class ServerTest {
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(30);

  private @TempDir Path root;

  @ParameterizedTest
  @ValueSource(strings = {"ls --no-such-thing", "/bin/no-such-thing"})
  void awaitReady_serverEndedOrProgramMissing_failsWithEndOfLog(String command) throws Exception {
    Server server =
        new Server(
            new Server.Launch("ghost", List.of(command.split(" ", -1)), Map.of(), root),
            new LabDirectory(root.resolve("lab")),
            () -> false);
    server.start();

    assertThatThrownBy(() -> server.awaitReady(READY_TIMEOUT))
        .isInstanceOf(LabException.class)
        .hasMessageMatching(
            "(?s)ghost has ended with status [1-9]\\d*; its log ends:\n.*no-such-thing.*");
  }
}
