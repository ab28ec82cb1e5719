package io.duplog.benchmark.deploy;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.collect.Sets;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a host under load loses no message while its shim and its bridge are restarted,
 * upgraded or stopped by force. The second stream is silent, so every message of the first one is
 * kept.
 */
class UpgradeIT {
  private static final String MERGED_FILE = "/var/log/duplog/merged.log";

  private static final int RESTARTS = 10;

  /**
   * Pause that is so short that a shim is always in the middle of a transaction when it gets the
   * signal to end.
   */
  private static final Duration PAUSE = Duration.ofNanos(300_000);

  /** Timeout of 60-duplog.conf. */
  private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(30);

  /**
   * Bytes of merged messages after which a new shim is certainly working: about a second's worth.
   */
  private static final long WORKING_SHIM_BYTES = 100_000;

  /** Settings in Debian 13's rsyslog.service that Debian 12 does not have. */
  private static final String DEBIAN_13_SANDBOX =
      """
      CapabilityBoundingSet=CAP_BLOCK_SUSPEND CAP_CHOWN CAP_DAC_OVERRIDE CAP_LEASE CAP_NET_ADMIN
      SystemCallFilter=@system-service
      RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
      NoNewPrivileges=yes
      PrivateTmp=yes
      ProtectHome=yes
      ProtectSystem=full
      CapabilityBoundingSet=CAP_NET_BIND_SERVICE CAP_SYS_ADMIN CAP_SYS_RESOURCE CAP_SYSLOG
      """;

  private final @AutoClose SystemdHost host = SystemdHost.booted("node");

  @BeforeEach
  void installAndConfigure() {
    for (DebianPackage debianPackage : DebianPackage.values()) {
      debianPackage.copyTo(host);
      host.run("dpkg", "-i", debianPackage.deb());
    }
    host.shell(
        "! id syslog 2>&1 || usermod --append --groups duplog-ingest syslog"); // Ubuntu has the
    // user syslog.
    host.start("rabbitmq-server");
    configure(
        "/etc/duplog/duplog-ingest.yaml",
        """
        stream: syslog-a
        broker: {host: 127.0.0.1, user: guest, password: guest}
        omprog: {mode: confirm}
        heartbeat: {interval: 2s}
        """);
    configure(
        "/etc/duplog/duplog.yaml",
        """
        streams:
          - {name: syslog-a, host: 127.0.0.1, user: guest, password: guest, queues: [duplog]}
          - {name: syslog-b, host: 127.0.0.1, user: guest, password: guest, queues: [silent]}
        dedup: {store: memory}
        lag: {heartbeat: 2s}
        sink: {type: file, file: {path: /var/log/duplog/merged.log}}
        """);
    host.run("mv", "/etc/rsyslog.d/60-duplog.conf.disabled", "/etc/rsyslog.d/60-duplog.conf");
    host.setConfirmTimeout(SystemdHost.PATIENCE);
    host.run("systemctl", "enable", "--now", "duplog-bridge");
    host.write("/srv/sandbox", DEBIAN_13_SANDBOX);
    host.shell(
        "cd /lib/systemd/system; sed '/^.Service/r /srv/sandbox' rsyslog.service >/srv/unit");
    host.shell("mkdir -p /run/systemd/system; cp /srv/unit /run/systemd/system/rsyslog.service");
    host.start("rsyslog");
  }

  /** Edits a file, and keeps the permissions from the package. */
  private void configure(String path, String text) {
    host.write("/tmp/edited", text);
    host.shell("cat /tmp/edited >" + path);
  }

  @Test
  void node_restartedAndUpgradedUnderLoad_losesNothingAndDuplicatesOnlyUnsettled()
      throws Exception {
    try (Sender sender = Sender.byTcp(host, PAUSE).begin("number")) {
      await().until(() -> readMerged().contains("number 000100."));
      assertUnprivileged(bridgePid(), "duplog");
      assertUnprivileged(awaitOnlyShim(), host.shimsUser());
      await()
          .until(
              () ->
                  unitProperty("duplog-bridge", "StatusText")
                      .startsWith("Delivering, degraded. syslog-b is dead."));

      rotate();
      restartShim();
      upgradeShim();
      int shimsEnded = awaitAllDelivered(sender);
      String shimLog = host.answer("cat", "/var/log/duplog-ingest.log");
      upgradeBridge();
      int bridgeUpgraded = awaitAllDelivered(sender);
      hangBridge();
      List<String> sent = sender.end();
      awaitDelivered(sent);

      host.awaitSettled();
      assertThat(duplicatesOf(sent.subList(0, shimsEnded)))
          .as("%s\n%s\n%s", shimLog, host.journal("rsyslog"), host.journal("duplog-bridge"))
          .hasSizeLessThanOrEqualTo(shimsEndedAtTheirStart());
      assertThat(shimLog).contains("was asked to stop").doesNotContain("mid-transaction");
      assertThat(duplicatesOf(sent.subList(shimsEnded, bridgeUpgraded)))
          .as(
              "%s\n%s\n%s",
              host.answer("cat", "/var/log/duplog-ingest.log"),
              host.journal("rsyslog"),
              host.journal("duplog-bridge"))
          .isEmpty();
      List<String> unsettled = duplicatesOf(sent.subList(bridgeUpgraded, sent.size()));
      assertThat(Collections.indexOfSubList(readMerged().lines().distinct().toList(), unsettled))
          .as("the last messages of a bridge are consecutive, were %s", unsettled)
          .isNotNegative();
      assertThat(unsettled)
          .as("written but unsettled messages")
          .hasSizeLessThan((sent.size() - bridgeUpgraded) / 2);
    }
    hangShim();
    stopAndRemove();
  }

  /** Waits until all sent messages are delivered, and returns their number. */
  private int awaitAllDelivered(Sender sender) {
    List<String> sent = sender.sent();
    awaitDelivered(sent);
    return sent.size();
  }

  /** Returns the messages that were delivered too often, each as often as it is in excess. */
  private List<String> duplicatesOf(List<String> sent) {
    Multiset<String> readMerged = ImmutableMultiset.copyOf(readMerged().lines().iterator());
    Set<String> sentMessages = Set.copyOf(sent);
    return Multisets.difference(readMerged, ImmutableMultiset.copyOf(readMerged.elementSet()))
        .stream()
        .filter(sentMessages::contains)
        .toList();
  }

  private void awaitDelivered(List<String> sent) {
    await()
        .untilAsserted(
            () ->
                assertThat(Sets.difference(Set.copyOf(sent), readMerged().lines().collect(toSet())))
                    .as("of %d", sent.size())
                    .isEmpty());
  }

  private void rotate() {
    host.run("logrotate", "--force", "/etc/logrotate.d/duplog-bridge");
    await().until(() -> size(MERGED_FILE) > 0);
    assertThat(host.run("stat", "-c", "%A %U %G", MERGED_FILE).strip())
        .isEqualTo("-rw-r----- duplog adm");
  }

  /**
   * Restarts the shim as each upgrade does, several times, because one restart may fall between two
   * transactions.
   */
  private void restartShim() {
    for (int i = 0; i < RESTARTS; i++) {
      long size = size(MERGED_FILE);
      await().until(() -> size(MERGED_FILE) > size + WORKING_SHIM_BYTES);
      String shimPid = awaitOnlyShim();
      host.run("kill", "-TERM", shimPid);
      awaitShimAfter(shimPid);
    }
  }

  /**
   * Hangs the shim. Rsyslog waits for an answer, then for its end, kills it, and starts another.
   * The shim does not hang in mid-transaction, because rsyslog forgets the messages that it had
   * deferred. The unanswered transaction has one message.
   */
  private void hangShim() throws IOException {
    host.setConfirmTimeout(CONFIRM_TIMEOUT);
    host.run("systemctl", "restart", "rsyslog");
    try (Sender sender = Sender.byTcp(host, PAUSE)) {
      sender.send("before the shim hangs");
      awaitDelivered(sender.sent());
      int startedBefore = shimsStarted();
      String shimPid = awaitOnlyShim();
      host.run("kill", "-STOP", shimPid);
      sender.send("to a shim that hangs");
      awaitShimAfter(shimPid);
      awaitDelivered(sender.sent());

      host.awaitSettled();
      assertThat(duplicatesOf(sender.sent()))
          .as("messages that a shim was about to answer when rsyslog gave it up")
          .hasSizeLessThanOrEqualTo(shimsStarted() - startedBefore);
    }
  }

  private int shimsStarted() {
    String log = host.answer("cat", "/var/log/duplog-ingest.log");
    return Splitter.on(" connected").splitToList(log).size();
  }

  /**
   * Returns how many shims Java ended before they could handle a SIGTERM. Each of them duplicates
   * the message that it was started for. That happens only on a busy machine.
   */
  private int shimsEndedAtTheirStart() {
    return Splitter.on("exited with status 143").splitToList(host.journal("rsyslog")).size() - 1;
  }

  private void upgradeShim() {
    String shimPid = awaitOnlyShim();
    String rsyslog = unitProperty("rsyslog", "MainPID");

    host.run("dpkg", "-i", DebianPackage.INGEST.laterDeb());

    awaitShimAfter(shimPid);
    assertThat(unitProperty("rsyslog", "MainPID"))
        .as("rsyslog was not restarted")
        .isEqualTo(rsyslog);
  }

  private void awaitShimAfter(String former) {
    await().until(this::shimPid, shimPid -> shimPid.matches("\\d+") && !shimPid.equals(former));
  }

  private void upgradeBridge() {
    String bridgePid = bridgePid();

    host.run("dpkg", "-i", DebianPackage.BRIDGE.laterDeb());

    assertThat(unitProperty("duplog-bridge", "ActiveState")).isEqualTo("active");
    assertThat(bridgePid()).isNotEqualTo(bridgePid);
    assertThat(host.journal("duplog-bridge")).contains("stopped, everything settled");
    assertThat(host.run("dpkg-query", "-W", "-f", "${Version} ", "duplog-bridge", "duplog-ingest"))
        .isEqualTo("%1$s %1$s ".formatted(DebianPackage.laterVersion()));
  }

  /**
   * Hangs the bridge, so that its watchdog has to end it. Systemd first wakes it up, so that it
   * logs the positions of its threads. Messages that it delivers then, but has not settled when it
   * is killed, are delivered again.
   */
  private void hangBridge() {
    host.shell("mkdir -p /run/systemd/system/duplog-bridge.service.d");
    host.write(
        "/run/systemd/system/duplog-bridge.service.d/soon.conf",
        "[Service]\nWatchdogSec=10s\nTimeoutAbortSec=1s\n");
    host.run("systemctl", "daemon-reload");
    host.run("systemctl", "restart", "duplog-bridge");
    String bridgePid = bridgePid();
    assertThat(unitProperty("duplog-bridge", "NRestarts")).isEqualTo("0");

    host.run("kill", "-STOP", bridgePid);

    await().until(() -> unitProperty("duplog-bridge", "NRestarts").equals("1"));
    assertThat(host.journal("duplog-bridge")).contains("Watchdog timeout");
  }

  private void stopAndRemove() {
    host.run("dpkg", "-r", "duplog-bridge", "duplog-ingest");
    assertThat(host.answer("pgrep", "-f", "[d]uplog.*jar")).isEmpty();
    assertThat(host.answer("ls", "/etc/rsyslog.d")).contains("60-duplog.conf.disabled");
    assertThat(unitProperty("rsyslog", "ActiveState")).isEqualTo("active");
    host.run("dpkg", "-P", "duplog-bridge", "duplog-ingest");
    assertThat(host.answer("find", "/etc", "/usr", "/var/lib", "-xdev", "-name", "*duplog*"))
        .isEmpty();
    assertThat(size(MERGED_FILE)).as("the merged stream is kept").isPositive();
  }

  private String bridgePid() {
    return unitProperty("duplog-bridge", "MainPID");
  }

  /**
   * Waits until a shim that rsyslog has given up has ended, and returns the id of the other one.
   */
  private String awaitOnlyShim() {
    return await().until(this::shimPid, shimPid -> shimPid.matches("\\d+"));
  }

  private String shimPid() {
    return host.answer("pgrep", "-f", "^[^ ]*java .*duplog-ingest[.]jar").strip();
  }

  private String unitProperty(String unit, String name) {
    return host.run("systemctl", "show", "--value", "--property", name, unit).strip();
  }

  private void assertUnprivileged(String process, String user) {
    List<String> status = host.run("cat", "/proc/%s/status".formatted(process)).lines().toList();
    String id = host.run("id", "-u", user).strip();
    assertThat(status)
        .contains(
            String.format(Locale.ROOT, "Uid:\t%1$s\t%1$s\t%1$s\t%1$s", id),
            "NoNewPrivs:\t1",
            "CapPrm:\t0000000000000000",
            "CapEff:\t0000000000000000",
            "CapInh:\t0000000000000000",
            "CapAmb:\t0000000000000000");
  }

  private long size(String path) {
    return Long.parseLong(
        host.shell("stat -c %%s %s 2>/dev/null || echo 0".formatted(path)).strip());
  }

  private String readMerged() {
    return host.shell("cat %1$s %1$s.1 2>/dev/null || true".formatted(MERGED_FILE));
  }
}
