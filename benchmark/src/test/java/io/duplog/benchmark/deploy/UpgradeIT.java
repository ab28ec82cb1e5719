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
 * Tests a node and its bridge on one host, as systemd and rsyslog run them, while messages come in.
 * The second stream is silent: what one stream alone brings is kept, all of it.
 */
class UpgradeIT {
  private static final String MERGED = "/var/log/duplog/merged.log";

  private static final int RESTARTS = 10;

  /**
   * Pause that is so short that a shim is in the middle of a transaction whenever it is told to
   * end.
   */
  private static final Duration PAUSE = Duration.ofNanos(300_000);

  /** Timeout of 60-duplog.conf. */
  private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(30);

  /** Bytes of merged messages that show that a shim just started is at work: about a second's. */
  private static final long AT_WORK = 100_000;

  /** Settings that Debian 13 has in rsyslog.service, and Debian 12 has not. */
  private static final String SANDBOX =
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
    for (DebianPackage made : DebianPackage.values()) {
      made.copyTo(host);
      host.run("dpkg", "-i", made.deb());
    }
    host.shell("! id syslog 2>&1 || usermod --append --groups duplog-ingest syslog"); // Ubuntu's
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
    host.write("/srv/sandbox", SANDBOX);
    host.shell(
        "cd /lib/systemd/system; sed '/^.Service/r /srv/sandbox' rsyslog.service >/srv/unit");
    host.shell("mkdir -p /run/systemd/system; cp /srv/unit /run/systemd/system/rsyslog.service");
    host.start("rsyslog");
  }

  /** Edits a file, which keeps the rights that the package gave. */
  private void configure(String path, String text) {
    host.write("/tmp/edited", text);
    host.shell("cat /tmp/edited >" + path);
  }

  @Test
  void node_underLoad_losesNothing_andDoublesWhatAHungShimAndBridgeMust() throws Exception {
    try (Sender sender = Sender.byTcp(host, PAUSE).begin("number")) {
      await().until(() -> merged().contains("number 000100."));
      assertUnprivileged(bridge(), "duplog");
      assertUnprivileged(onlyShim(), host.shimsUser());
      await()
          .until(
              () -> property("duplog-bridge", "StatusText").startsWith("degraded: lag syslog-b"));

      rotate();
      restartShim();
      upgradeShim();
      int shimsEnded = delivered(sender);
      String shimLog = host.answer("cat", "/var/log/duplog-ingest.log");
      upgradeBridge();
      int bridgeUpgraded = delivered(sender);
      hang();
      List<String> sent = sender.end();
      awaitDelivered(sent);

      host.awaitSettled();
      assertThat(doubled(sent.subList(0, shimsEnded)))
          .as("%s\n%s\n%s", shimLog, host.journal("rsyslog"), host.journal("duplog-bridge"))
          .hasSizeLessThanOrEqualTo(shimsEndedAtTheirStart());
      assertThat(shimLog).contains("told to end").doesNotContain("mid-transaction");
      assertThat(doubled(sent.subList(shimsEnded, bridgeUpgraded)))
          .as(
              "%s\n%s\n%s",
              host.answer("cat", "/var/log/duplog-ingest.log"),
              host.journal("rsyslog"),
              host.journal("duplog-bridge"))
          .isEmpty();
      List<String> unsettled = doubled(sent.subList(bridgeUpgraded, sent.size()));
      assertThat(Collections.indexOfSubList(merged().lines().distinct().toList(), unsettled))
          .as("what a bridge wrote last stands together, was %s", unsettled)
          .isNotNegative();
      assertThat(unsettled)
          .as("what it had written and not settled")
          .hasSizeLessThan((sent.size() - bridgeUpgraded) / 2);
    }
    hangShim();
    stopAndRemove();
  }

  /** Returns how many messages have been sent, as soon as all of them are delivered. */
  private int delivered(Sender sender) {
    List<String> sent = sender.sent();
    awaitDelivered(sent);
    return sent.size();
  }

  /** Returns the messages that were delivered too often, each as often as it is in excess. */
  private List<String> doubled(List<String> sent) {
    Multiset<String> merged = ImmutableMultiset.copyOf(merged().lines().iterator());
    Set<String> known = Set.copyOf(sent);
    return Multisets.difference(merged, ImmutableMultiset.copyOf(merged.elementSet())).stream()
        .filter(known::contains)
        .toList();
  }

  private void awaitDelivered(List<String> sent) {
    await()
        .untilAsserted(
            () ->
                assertThat(Sets.difference(Set.copyOf(sent), merged().lines().collect(toSet())))
                    .as("of %d", sent.size())
                    .isEmpty());
  }

  private void rotate() {
    host.run("logrotate", "--force", "/etc/logrotate.d/duplog-bridge");
    await().until(() -> size(MERGED) > 0);
    assertThat(host.run("stat", "-c", "%A %U %G", MERGED).strip())
        .isEqualTo("-rw-r----- duplog adm");
  }

  /**
   * Restarts the shim as each upgrade does: often, since one restart may meet the moment between
   * transactions.
   */
  private void restartShim() {
    for (int i = 0; i < RESTARTS; i++) {
      long size = size(MERGED);
      await().until(() -> size(MERGED) > size + AT_WORK);
      String shim = onlyShim();
      host.run("kill", "-TERM", shim);
      awaitShimAfter(shim);
    }
  }

  /**
   * Hangs the shim. rsyslog waits for an answer, then for its end, kills it, and starts another.
   * Not in mid-transaction, since rsyslog forgets what it had deferred; the transaction that has
   * not been answered by then is of one message.
   */
  private void hangShim() throws IOException {
    host.setConfirmTimeout(CONFIRM_TIMEOUT);
    host.run("systemctl", "restart", "rsyslog");
    try (Sender sender = Sender.byTcp(host, PAUSE)) {
      sender.send("before the shim hangs");
      awaitDelivered(sender.sent());
      int before = shimsStarted();
      String shim = onlyShim();
      host.run("kill", "-STOP", shim);
      sender.send("to a shim that hangs");
      awaitShimAfter(shim);
      awaitDelivered(sender.sent());

      host.awaitSettled();
      assertThat(doubled(sender.sent()))
          .as("what a shim that rsyslog gave up was about to answer")
          .hasSizeLessThanOrEqualTo(shimsStarted() - before);
    }
  }

  private int shimsStarted() {
    String log = host.answer("cat", "/var/log/duplog-ingest.log");
    return Splitter.on(" connected").splitToList(log).size();
  }

  /**
   * Returns how many shims Java ended before they could handle a SIGTERM, which doubles the message
   * that they were started for; none but on a busy machine.
   */
  private int shimsEndedAtTheirStart() {
    return Splitter.on("exited with status 143").splitToList(host.journal("rsyslog")).size() - 1;
  }

  private void upgradeShim() {
    String shim = onlyShim();
    String rsyslog = property("rsyslog", "MainPID");

    host.run("dpkg", "-i", DebianPackage.INGEST.laterDeb());

    awaitShimAfter(shim);
    assertThat(property("rsyslog", "MainPID")).as("goes on receiving").isEqualTo(rsyslog);
  }

  private void awaitShimAfter(String former) {
    await().until(this::shim, shim -> shim.matches("\\d+") && !shim.equals(former));
  }

  private void upgradeBridge() {
    String bridge = bridge();

    host.run("dpkg", "-i", DebianPackage.BRIDGE.laterDeb());

    assertThat(property("duplog-bridge", "ActiveState")).isEqualTo("active");
    assertThat(bridge()).isNotEqualTo(bridge);
    assertThat(host.journal("duplog-bridge")).contains("stopped, everything settled");
    assertThat(host.run("dpkg-query", "-W", "-f", "${Version} ", "duplog-bridge", "duplog-ingest"))
        .isEqualTo("%1$s %1$s ".formatted(DebianPackage.laterVersion()));
  }

  /**
   * Hangs the bridge, so that its watchdog has to end it. systemd wakes it up first, so that it
   * logs where its threads are. What it then delivers and has not settled when it is killed comes
   * again.
   */
  private void hang() {
    host.shell("mkdir -p /run/systemd/system/duplog-bridge.service.d");
    host.write(
        "/run/systemd/system/duplog-bridge.service.d/soon.conf",
        "[Service]\nWatchdogSec=10s\nTimeoutAbortSec=1s\n");
    host.run("systemctl", "daemon-reload");
    host.run("systemctl", "restart", "duplog-bridge");
    String bridge = bridge();
    assertThat(property("duplog-bridge", "NRestarts")).isEqualTo("0");

    host.run("kill", "-STOP", bridge);

    await().until(() -> property("duplog-bridge", "NRestarts").equals("1"));
    assertThat(host.journal("duplog-bridge")).contains("Watchdog timeout");
  }

  private void stopAndRemove() {
    host.run("dpkg", "-r", "duplog-bridge", "duplog-ingest");
    assertThat(host.answer("pgrep", "-f", "[d]uplog.*jar")).isEmpty();
    assertThat(host.answer("ls", "/etc/rsyslog.d")).contains("60-duplog.conf.disabled");
    assertThat(property("rsyslog", "ActiveState")).isEqualTo("active");
    host.run("dpkg", "-P", "duplog-bridge", "duplog-ingest");
    assertThat(host.answer("find", "/etc", "/usr", "/var/lib", "-xdev", "-name", "*duplog*"))
        .isEmpty();
    assertThat(size(MERGED)).as("not the package's to delete").isPositive();
  }

  private String bridge() {
    return property("duplog-bridge", "MainPID");
  }

  /** Waits while a shim that rsyslog has given up still ends beside its successor. */
  private String onlyShim() {
    return await().until(this::shim, shim -> shim.matches("\\d+"));
  }

  private String shim() {
    return host.answer("pgrep", "-f", "^[^ ]*java .*duplog-ingest[.]jar").strip();
  }

  private String property(String unit, String name) {
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

  private String merged() {
    return host.shell("cat %1$s %1$s.1 2>/dev/null || true".formatted(MERGED));
  }
}
