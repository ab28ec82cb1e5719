package io.duplog.rig;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
  private static final Duration WITHIN = Duration.ofSeconds(30);

  private @TempDir Path root;

  private Server server(List<String> command) throws LabException {
    Server.Launch launch = new Server.Launch("ghost", command, Map.of(), root);
    return new Server(launch, new LabDirectory(root.resolve("lab")), () -> false);
  }

  @Test
  void serverThatDies_isNamedWithTheEndOfItsLog() throws Exception {
    Server server = server(List.of("sh", "-c", "echo no-such-setting; exit 3"));
    server.start();

    assertThatThrownBy(() -> server.awaitReady(WITHIN))
        .isInstanceOf(LabException.class)
        .hasMessageStartingWith("ghost has ended with status 3; its log ends:\n")
        .hasMessageContaining("no-such-setting");
  }

  @Test
  void serverWhoseProgramIsMissing_isNamed() throws Exception {
    Server server = server(List.of("/no/such/program"));

    assertThatThrownBy(
            () -> {
              server.start();
              server.awaitReady(WITHIN);
            })
        .isInstanceOf(LabException.class)
        .hasMessageContaining("ghost has ended with status")
        .hasMessageContaining("/no/such/program");
  }
}
