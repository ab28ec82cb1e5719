package io.duplog.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of the lab that does not serve. */
class ServersIT {
  private static final Duration READY_WITHIN = Duration.ofSeconds(90);
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(30);

  private @TempDir Path root;
  private LabDirectory directory;

  @BeforeEach
  void makeDirectory() throws LabException {
    directory = new LabDirectory(root.resolve("lab"));
  }

  @Test
  void server_thatDies_isNamedWithTheEndOfItsLog() throws LabException {
    RedisProcess redis = Store.redis(directory, "redis", new Ports().next(), "", null);
    Path configuration = root.resolve("lab/redis/redis.conf");
    LabDirectory.write(configuration, "no-such-setting yes\n");
    redis.server().start();

    assertThatThrownBy(() -> redis.server().awaitReady(READY_WITHIN))
        .isInstanceOf(LabException.class)
        .hasMessageStartingWith("redis has ended with status 1; its log ends:\n")
        .hasMessageContaining("no-such-setting");
  }

  @Test
  void server_whoseProgramIsMissing_isNamed() {
    Server server =
        new Server(
            new Server.Launch("ghost", List.of("/no/such/program"), Map.of(), root),
            directory,
            () -> true);

    assertThatThrownBy(
            () -> {
              server.start();
              server.awaitStop(STOPPED_WITHIN);
              server.requireAlive();
            })
        .isInstanceOf(LabException.class)
        .hasMessageContaining("ghost has ended with status")
        .hasMessageContaining("/no/such/program");
  }
}
