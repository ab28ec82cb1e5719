package io.duplog.benchmark.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.rig.LabException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the containers of deploy/compose.yaml deliver each message once, run with few rights,
 * and recover after Redis and the sink were stopped.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ComposeIT {
  private static @TempDir Path folder;
  private static @AutoClose ComposedPair pair;

  @BeforeAll
  static void start() throws Exception {
    pair = new ComposedPair(folder);
    pair.up();
    for (String service : List.of("ingest-a", "ingest-b")) {
      await("a socket for datagrams of " + service)
          .ignoreExceptionsInstanceOf(LabException.class)
          .until(() -> !pair.runInContainer(service, "grep -h ':0202 ' /proc/net/udp*").isEmpty());
    }
  }

  @Test
  @Order(1)
  void message_sentToBothNodes_isDeliveredOnce() throws Exception {
    pair.log("<13>1 - sender tester - - - seen once");
    awaitDelivered("seen once", 1);
    // When a later message has arrived, a second copy of the first would have arrived as well.
    pair.log("<13>1 - sender tester - - - seen later");
    awaitDelivered("seen later", 1);

    assertThat(pair.delivered("seen once"))
        .containsExactly("<13>1 - sender tester - - - seen once");
    await()
        .untilAsserted(
            () -> {
              assertThat(pair.requestStatus(1, "/health/ready")).isEqualTo(200);
              assertThat(pair.requestStatus(2, "/health/ready")).isEqualTo(200);
            });
  }

  @Test
  @Order(2)
  void containers_running_areUnprivilegedAndReadOnly() throws Exception {
    for (String service : ComposedPair.SERVICES) {
      // Commands that Docker runs in a container, for example health checks, briefly run as root at
      // their start.
      await("users of processes of " + service)
          .untilAsserted(
              () ->
                  assertThat(
                          pair.runInContainer(
                              service, "grep -hs ^Uid: /proc/[0-9]*/status | awk '{print $2, $3}'"))
                      .isNotEmpty()
                      .doesNotContainPattern("(^|\n)0 |(^|\n)\\d+ 0"));
      assertThat(
              pair.runInContainer(
                  service, "awk '/^(Cap(Prm|Eff|Bnd)|NoNewPrivs):/ {print $1 $2}' /proc/1/status"))
          .as("capabilities and new privileges of %s", service)
          .matches("(Cap(Prm|Eff|Bnd):0{16}\n){3}NoNewPrivs:1\n");
      assertThat(pair.inspect(service, "{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.Memory}}"))
          .as("read-only root and memory of %s", service)
          .matches("true [1-9]\\d*");
    }
  }

  @Test
  @Order(3)
  void ownImages_running_areHealthy() throws Exception {
    for (String service : List.of("ingest-a", "ingest-b", "bridge-1", "bridge-2", "hec")) {
      await(service)
          .until(() -> pair.inspect(service, "{{.State.Health.Status}}").equals("healthy"));
    }
    assertThat(pair.inspect("bridge-1", "{{json .Config.Labels}}"))
        .contains("org.opencontainers.image.version", "org.opencontainers.image.revision");
  }

  @Test
  @Order(4)
  void configurations_running_haveMinimumRights() throws Exception {
    String users =
        pair.runInContainer("rabbitmq-a", "rabbitmqctl -q list_users --no-table-headers");

    assertThat(users).contains("duplog-ingest").contains("duplog-bridge").doesNotContain("guest");
    assertThat(pair.runInContainer("redis", "redis-cli ping 2>&1")).contains("NOAUTH");
  }

  @Test
  @Order(5)
  void bridge_redisAndSinkStopped_staysAliveAndRecovers() throws Exception {
    pair.compose("stop redis hec");
    pair.log("<13>1 - sender tester - - - while away");
    await()
        .until(
            () ->
                pair.requestStatus(1, "/health/ready") == 503
                    || pair.requestStatus(2, "/health/ready") == 503);

    assertThat(pair.requestStatus(1, "/health/live")).isEqualTo(200);
    assertThat(pair.requestStatus(2, "/health/live")).isEqualTo(200);
    pair.compose("start redis hec");
    awaitDelivered("while away", 1);
  }

  @Test
  @Order(6)
  void containers_stopped_endNormally() throws Exception {
    pair.compose("stop bridge-1 ingest-a");

    // Status 137 would mean that the engine had to kill it, because no signal reached it.
    for (String service : List.of("bridge-1", "ingest-a")) {
      assertThat(pair.inspect(service, "{{.State.ExitCode}}"))
          .as("%s", pair.compose("logs " + service))
          .isEqualTo("0");
    }
  }

  private static void awaitDelivered(String text, int times) {
    await("delivery of " + text)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> pair.delivered(text).size() >= times);
  }
}
