package io.duplog.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.UdpOutlet;
import io.duplog.benchmark.measure.MergedStream;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.measure.Tally;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.RabbitMqProcess;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each server of the lab by itself. */
class ServersIT {
  private static final Duration READY_WITHIN = Duration.ofSeconds(90);
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(30);

  private @TempDir Path root;
  private LabDirectory directory;
  private final Ports ports = new Ports();

  @BeforeEach
  void makeDirectory() throws LabException {
    directory = new LabDirectory(root.resolve("lab"));
  }

  @Test
  void rabbitMq_startedStoppedAndKilled_comesBackAndLeavesNoProcess() throws Exception {
    int epmdPort = ports.next();
    Server epmd = RabbitMqProcess.epmd(directory, epmdPort);
    RabbitMqProcess rabbit =
        new RabbitMqProcess("syslog-a", directory, epmdPort, ports.next(), ports.next(), "");
    List<ProcessHandle> all;
    try {
      epmd.start();
      epmd.awaitReady(READY_WITHIN);
      rabbit.server().start();
      rabbit.server().awaitReady(READY_WITHIN);
      assertThat(ProcessHandle.of(rabbit.server().pid()).orElseThrow().info().command())
          .hasValueSatisfying(command -> assertThat(command).contains("beam"));

      rabbit.server().kill();
      assertThat(rabbit.server().isAlive()).isFalse();
      rabbit.server().start();
      rabbit.server().awaitReady(READY_WITHIN);
      all = ProcessHandle.of(rabbit.server().pid()).orElseThrow().descendants().toList();
      rabbit.server().requestStop();
      assertThat(rabbit.server().awaitStop(STOPPED_WITHIN)).isTrue();
      assertThat(all).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    } finally {
      rabbit.server().requestStop();
      rabbit.server().awaitStop(STOPPED_WITHIN);
      epmd.requestStop();
      epmd.awaitStop(STOPPED_WITHIN);
    }
    assertThat(epmd.isAlive()).isFalse();
  }

  @Test
  void rsyslog_underLoad_handsEveryDatagramToItsProgram() throws Exception {
    Path output = root.resolve("output");
    Rsyslog rsyslog =
        new Rsyslog("syslog-a", directory, ports.next(), appendingTo(output), Map.of());
    LoadPlan plan = new LoadPlan(5_000, Duration.ofSeconds(2), 1, 0, 5, 1);
    Tally sent = new Tally();
    MergedStream received = new MergedStream(List.of(output));
    rsyslog.server().start();
    try {
      rsyslog.server().awaitReady(READY_WITHIN);
      send(plan, rsyslog, sent);
    } finally {
      rsyslog.server().requestStop();
      rsyslog.server().awaitStop(STOPPED_WITHIN);
    }
    received.finish();
    assertThat(Reconciliation.of(List.of(sent), received.tally()))
        .isEqualTo(new Reconciliation(10_000, 10_000, 10_000, 0, 0, 0));
  }

  @Test
  void server_thatDies_isNamedWithTheEndOfItsLog() throws LabException {
    RedisProcess redis = Store.redis(directory, "redis", ports.next(), "", null);
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

  private static void send(LoadPlan plan, Rsyslog rsyslog, Tally sent) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), rsyslog.port());
    try (UdpOutlet udp = new UdpOutlet(List.of(address))) {
      new RedundantSender(
              plan,
              (stream, bytes, length) -> {
                sent.add(bytes, 0, length);
                udp.send(stream, bytes, length);
              })
          .run();
    }
    assertThat(rsyslog.droppedDatagrams()).isZero();
  }

  /** In the shim's place: takes lines without confirmation, and writes them without the sender. */
  private Function<Path, String> appendingTo(Path output) throws IOException {
    Path script =
        Files.createFile(
            root.resolve("program"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(script, "#!/bin/sh\nexec sed -u 's/^[^ ]* //' >> %s\n".formatted(output));
    return stderr -> "binary=\"%s\" output=\"%s\"".formatted(script, stderr);
  }
}
