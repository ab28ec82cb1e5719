package io.duplog.benchmark.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.base.Stopwatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the commands of docs/install-debian.md turn three clean hosts into a pair with its
 * Redis that loses nothing during changes. By docs/upgrade.md the nodes are upgraded and rolled
 * back, one after the other. By docs/install-options.md one node hands over a transaction at a
 * time, and all connections get TLS. Redis gets a replica and sentinels, and loses them again. Then
 * the blocks of docs/migration.md run. Finally another deployment wants a host, and one host
 * leaves.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PairIT {
  private static final Duration WHILE = Duration.ofMinutes(5);
  private static final String DOMAIN = ".example.net";
  private static final String NEW_VERSION = "99";
  private static final int MESSAGES = 500;
  private static final int MESSAGES_UNDER_WAY = 300;
  private static final int NUMBERED = Integer.getInteger("duplog.numbered", 3000);
  private static final int NUMBERED_PER_MILLI = 6;
  private static final Duration TCP_PAUSE = Duration.ofMillis(1);

  private static @TempDir Path home;
  private static Workstation workstation;
  private static @AutoClose SystemdHost nodeA;
  private static @AutoClose SystemdHost nodeB;
  private static @AutoClose SystemdHost redis;
  private static List<SystemdHost> nodes;
  private static MergedStream merged;

  @BeforeAll
  static void boot() throws Exception {
    List<CompletableFuture<SystemdHost>> booting =
        Stream.of("syslog-a", "syslog-b", "redis")
            .map(name -> CompletableFuture.supplyAsync(() -> booted(name)))
            .toList();
    nodeA = booting.get(0).join();
    nodeB = booting.get(1).join();
    redis = booting.get(2).join();
    nodes = List.of(nodeA, nodeB);
    merged = new MergedStream(nodes);
    introduce(List.of(nodeA, nodeB, redis));
    workstation = new Workstation(home, List.of(nodeA, nodeB, redis), DOMAIN);
  }

  /** Boots a host whose servers run as Debian's packages leave them. */
  private static SystemdHost booted(String name) {
    SystemdHost host = SystemdHost.booted(name);
    List<String> servers = List.of("rabbitmq-server", "rsyslog");
    for (String unit : List.of("rabbitmq-server", "rsyslog", "redis-server", "redis-sentinel")) {
      // A host's systemd may do this, but a container's may not.
      host.run("mkdir", "-p", "/etc/systemd/system/%s.service.d".formatted(unit));
      host.write(
          "/etc/systemd/system/%s.service.d/test.conf".formatted(unit),
          "[Service]\nLimitNOFILE=1024\nPrivateUsers=no\n");
      host.unmask(unit);
    }
    for (String unit : name.equals("redis") ? List.of("redis-server") : servers) {
      host.start(unit);
    }
    return host;
  }

  /**
   * Writes all names into each host's /etc/hosts, as there is no name server; the host's own name
   * also for 127.0.1.1, as Debian's installer does.
   */
  private static void introduce(List<SystemdHost> hosts) {
    String names =
        hosts.stream()
            .map(host -> host.address() + " " + host + DOMAIN + "\n")
            .collect(Collectors.joining());
    hosts.forEach(
        host -> host.shell("printf '127.0.1.1 " + host + DOMAIN + "\n" + names + "' >>/etc/hosts"));
  }

  @Test
  @Order(1)
  void cleanHosts_installedAsTheGuideSays_mergeWhatBothReceive() throws Exception {
    Stopwatch time = Stopwatch.createStarted();
    List<InstallGuide.Block> blocks = InstallGuide.blocks("install-debian.md", "The steps");
    for (InstallGuide.Block block : blocks) {
      switch (block.place()) {
        case "workstation" -> workstation.run(block.text());
        case "redis" -> run(redis, block);
        case "nodes" -> nodes.parallelStream().forEach(node -> run(node, block));
        default -> throw new IllegalStateException("no host for " + block);
      }
    }
    System.out.printf(
        "A pair was installed by %d commands in %s%n",
        blocks.stream().mapToLong(InstallGuide.Block::commands).sum(), time);
    await()
        .until(() -> merged.lines().stream().anyMatch(line -> line.contains("hello, both of you")));

    List<String> running = processes();
    workstation.run("~/pair/install-all");
    assertThat(processes()).isEqualTo(running);
    assertReloadSaysWhatARestartWouldChange();
    for (SystemdHost node : nodes) {
      node.setConfirmTimeout(WHILE);
      node.run("systemctl", "restart", "rsyslog");
    }
    try (Sender sender = Sender.byUdp(nodes).begin("installed")) {
      await().until(() -> sender.sent().size() >= MESSAGES);
      String shim = nodeA.run("pgrep", "-f", "duplog-ingest.jar");
      nodeA.run("/usr/lib/rsyslog/rsyslog-rotate");
      int before = sender.sent().size();
      await().until(() -> sender.sent().size() >= before + MESSAGES);
      merged.awaitAll(sender.end());
      assertThat(nodeA.run("pgrep", "-f", "duplog-ingest.jar")).isEqualTo(shim);
    }
    merged.assertNothingElseCameTwice();
  }

  private static void assertReloadSaysWhatARestartWouldChange() {
    String file = "/etc/duplog/duplog.yaml";
    for (String[] step :
        new String[][] {
          {"s/a/a/", "reload: nothing in " + file + " has changed"},
          {"s/window: 10m/window: 11m/", "reload: dedup.window of " + file + " take effect"},
          {"s/window: 11m/window: much/", "one that is restarted would end: " + file},
          {"s/window: much/window: 10m/", "reload: nothing in " + file + " has changed"},
          {
            "$acoverage: {statements: {folder: /tmp, key: /no.key}}",
            "one that is restarted would end: /no.key"
          },
          {"$d", "reload: nothing in " + file + " has changed"}
        }) {
      nodeA.run("sed", "-i", step[0], file);
      long before = linesWith(step[1]);
      nodeA.run("systemctl", "reload", "duplog-bridge");
      await().until(() -> linesWith(step[1]) > before);
    }
  }

  private static long linesWith(String text) {
    return nodeA.journal("duplog-bridge").lines().filter(line -> line.contains(text)).count();
  }

  @Test
  @Order(2)
  void nodes_upgradedOneAfterTheOtherUnderLoad_loseAndDoubleNothing() throws Exception {
    List<String> sent = new ArrayList<>();
    try (Sender toBoth = Sender.byUdp(nodes).begin("upgrade");
        Sender toA = Sender.byTcp(nodeA, TCP_PAUSE).begin("upgrade, only of a");
        Sender toB = Sender.byTcp(nodeB, TCP_PAUSE).begin("upgrade, only of b")) {
      await().until(() -> toBoth.sent().size() > MESSAGES_UNDER_WAY);
      workstation.makeNewPackages();
      changeVersionsAsTheGuideSays("Upgrading, one node at a time");
      for (Sender each : List.of(toBoth, toA, toB)) {
        sent.addAll(each.end());
      }
    }

    merged.awaitAll(sent);
    merged.assertNothingElseCameTwice();
    assertThat(versions()).containsOnly(NEW_VERSION + " " + NEW_VERSION + " ");
  }

  @Test
  @Order(3)
  void nodes_rolledBackOneAfterTheOtherUnderLoad_loseAndDoubleNothing() throws Exception {
    List<String> sent = new ArrayList<>();
    workstation.returnToOldRelease();
    try (Sender toBoth = Sender.byUdp(nodes).begin("roll back");
        Sender toA = Sender.byTcp(nodeA, TCP_PAUSE).begin("roll back, only of a");
        Sender toB = Sender.byTcp(nodeB, TCP_PAUSE).begin("roll back, only of b")) {
      await().until(() -> toBoth.sent().size() > MESSAGES_UNDER_WAY);
      changeVersionsAsTheGuideSays("Rolling back");
      for (Sender each : List.of(toBoth, toA, toB)) {
        sent.addAll(each.end());
      }
    }

    merged.awaitAll(sent);
    merged.assertNothingElseCameTwice();
    assertThat(versions()).noneMatch(version -> version.contains(NEW_VERSION));
  }

  /** Returns the versions of both packages on each node. */
  private static List<String> versions() {
    return nodes.stream()
        .map(node -> node.run("dpkg-query", "-W", "-f", "${Version} ", "duplog-*"))
        .toList();
  }

  /**
   * Runs each block on one node and then on the other: to upgrade for the bridges first, to roll
   * back for the shims first.
   */
  private static void changeVersionsAsTheGuideSays(String section) throws Exception {
    List<String> before = bridges();
    for (InstallGuide.Block block : InstallGuide.blocks("upgrade.md", section)) {
      if (block.place().equals("workstation")) {
        workstation.run(block.text());
      } else {
        nodes.forEach(node -> run(node, block));
      }
    }
    assertThat(bridges()).doesNotContainAnyElementsOf(before);
  }

  private static List<String> bridges() {
    return mainProcesses(nodes, "duplog-bridge");
  }

  /** Returns the processes that a repeated installation must not restart. */
  private static List<String> processes() {
    return Stream.of(
            bridges(),
            mainProcesses(nodes, "rabbitmq-server"),
            mainProcesses(nodes, "rsyslog"),
            mainProcesses(List.of(redis, nodeB), "redis-server"),
            mainProcesses(List.of(redis, nodeA, nodeB), "redis-sentinel"))
        .flatMap(List::stream)
        .toList();
  }

  private static List<String> mainProcesses(List<SystemdHost> hosts, String unit) {
    return hosts.stream()
        .map(host -> host + " " + host.run("systemctl", "show", "-p", "MainPID", unit))
        .toList();
  }

  @Test
  @Order(4)
  void nodeThatHandsOverATransactionAtATime_bringsWhatTheOtherBrings() throws Exception {
    try (Sender toBoth = Sender.byUdp(nodes).begin("two ways")) {
      await().until(() -> toBoth.sent().size() > MESSAGES_UNDER_WAY);
      for (InstallGuide.Block block :
          InstallGuide.blocks("install-options.md", "A transaction at a time")) {
        workstation.run(block.text());
      }
      int before = toBoth.sent().size();
      await().until(() -> toBoth.sent().size() > before + MESSAGES_UNDER_WAY);
      merged.awaitAll(toBoth.end());
    }
    merged.assertNothingElseCameTwice();

    try (Sender toA = Sender.byTcp(nodeA, TCP_PAUSE).begin("by the second way alone")) {
      await().until(() -> toA.sent().size() > MESSAGES_UNDER_WAY);
      nodeA.run("systemctl", "restart", "duplog-ingest");
      int before = toA.sent().size();
      await().until(() -> toA.sent().size() > before + MESSAGES_UNDER_WAY);
      merged.awaitAll(toA.end());
    }
    merged.assertNothingElseCameTwice();
    assertThat(nodeA.run("systemctl", "show", "-p", "StatusText", "duplog-ingest"))
        .contains("StatusText=well");
  }

  /** A longer run is possible with {@code -Dduplog.numbered=1000000}. */
  @Test
  @Order(5)
  void allKindsOfBytes_byUdpAndTcp_comeOnceAndUnchanged_andBothWaysBringAllOfThem()
      throws Exception {
    NumberedBytes bytes = new NumberedBytes(NUMBERED);
    List<Long> before = nodes.stream().map(merged::received).toList();
    bytes.sendTo(nodes, NUMBERED_PER_MILLI, WHILE);
    await()
        .pollInterval(Duration.ofSeconds(2))
        .until(() -> merged.count(bytes).delivered() == NUMBERED);
    nodes.parallelStream().forEach(SystemdHost::awaitSettled);
    merged.count(bytes).assertComplete(merged.undeduplicated());
    for (int i = 0; i < nodes.size(); i++) {
      SystemdHost node = nodes.get(i);
      long all = before.get(i) + NUMBERED;
      await(node.toString()).until(() -> merged.received(node) == all);
    }
  }

  @Test
  @Order(6)
  void pairWhoseConnectionsGetTls_mergesWhatBothReceive() throws Exception {
    for (InstallGuide.Block block : InstallGuide.blocks("install-options.md", "With TLS")) {
      workstation.run(block.text());
    }
    for (SystemdHost node : nodes) {
      assertThat(node.run("ss", "-Hltn", "sport = :5672")).contains("127.0.0.1:5672");
      assertThat(node.run("ss", "-Hltn", "sport = :5672").lines()).hasSize(1);
      node.shell("until duplog status; do sleep 2; done");
    }
    assertThat(redis.run("ss", "-Hltn", "sport = :6379")).isEmpty();
    try (Sender sender = Sender.byUdp(nodes).begin("by TLS")) {
      await().until(() -> sender.sent().size() >= MESSAGES_UNDER_WAY);
      merged.awaitAll(sender.end());
    }
    merged.assertNothingElseCameTwice();
  }

  @Test
  @Order(7)
  void redisThatGetsAReplicaAndSentinels_isReplacedByIt_andNothingIsLost() throws Exception {
    for (InstallGuide.Block block :
        InstallGuide.blocks("scaling.md", "A Redis that survives: Sentinel")) {
      workstation.run(block.text());
    }
    await().until(() -> sentinel("ckquorum duplog").startsWith("OK 3 usable Sentinels"));
    awaitReplica();
    List<String> running = processes();
    workstation.run("~/pair/install-all");
    assertThat(processes()).isEqualTo(running);

    try (Sender sender = Sender.byUdp(nodes).begin("while the master is replaced")) {
      await().until(() -> sender.sent().size() >= MESSAGES_UNDER_WAY);
      redis.run("systemctl", "stop", "redis-server");
      await().until(() -> master().equals(nodeB + DOMAIN));
      nodes.forEach(node -> node.shell("until duplog status; do sleep 2; done"));
      int before = sender.sent().size();
      await().until(() -> sender.sent().size() > before + MESSAGES_UNDER_WAY);
      merged.awaitAll(sender.end());
    }
    merged.assertNothingElseCameTwice();

    redis.run("systemctl", "start", "redis-server");
    workstation.run("~/pair/install-all");
    awaitReplica();
    assertThat(master()).isEqualTo(nodeB + DOMAIN);
    running = processes();
    assertThat(running).noneMatch(process -> process.contains("MainPID=0"));
    workstation.run("~/pair/install-all");
    assertThat(processes()).isEqualTo(running);
  }

  private static void awaitReplica() {
    await().until(() -> sentinel("replicas duplog").contains("\nmaster-link-status\nok\n"));
  }

  private static String master() {
    return sentinel("get-master-addr-by-name duplog").lines().findFirst().orElse("");
  }

  /** Returns what the sentinel of a host that has no Redis tells the operator. */
  private static String sentinel(String command) {
    return nodeA.answer(
        "sh",
        "-c",
        """
        cd /etc/redis/tls && redis-cli --tls --cacert ca.pem --cert redis.pem --key redis.key \
          -p 26379 --user operator --pass %s --no-auth-warning sentinel %s
        """
            .formatted(workstation.password("operator"), command));
  }

  /**
   * The host that a failover made the master loses its Redis; the other was a replica till then.
   */
  @Test
  @Order(8)
  void pairThatGoesBackToOneRedis_hasTheOthersStopped_andMergesWhatBothReceive() throws Exception {
    workstation.run(
        """
        sed -i 's/^maxmemory 1gb/maxmemory 512mb/' ~/pair/*/etc/redis/duplog.conf
        sed -i '/--redis syslog-b/d' ~/pair.options
        java -jar duplog-*.jar init ~/pair @$HOME/pair.options
        ~/pair/install-all
        """);

    assertStopped(nodeB, "redis-server");
    for (SystemdHost host : List.of(nodeA, nodeB, redis)) {
      assertStopped(host, "redis-sentinel");
    }
    nodes.forEach(node -> node.shell("until duplog status; do sleep 2; done"));
    try (Sender sender = Sender.byUdp(nodes).begin("by one Redis again")) {
      await().until(() -> sender.sent().size() >= MESSAGES_UNDER_WAY);
      merged.awaitAll(sender.end());
    }
    merged.assertNothingElseCameTwice();
  }

  private static void assertStopped(SystemdHost host, String unit) {
    assertThat(host.run("systemctl", "show", "-p", "ActiveState,UnitFileState", unit))
        .as(host + " " + unit)
        .contains("ActiveState=inactive", "UnitFileState=disabled");
  }

  @Test
  @Order(9)
  void nodeThatHasNoBridgeAnyMore_stopsIt_andTheOtherBridgeReadsBoth() throws Exception {
    workstation.run(
        """
        echo --bridge syslog-b.example.net >>~/pair.options
        java -jar duplog-*.jar init ~/pair @$HOME/pair.options
        ~/pair/install-all
        """);

    assertStopped(nodeA, "duplog-bridge");
    try (Sender sender = Sender.byUdp(List.of(nodeA)).begin("without a bridge")) {
      await().until(() -> sender.sent().size() >= MESSAGES_UNDER_WAY);
      merged.awaitAll(sender.end());
    }
    merged.assertNothingElseCameTwice();
  }

  @Test
  @Order(10)
  void syslogNgThatReceivesForAll_passesOnToBothNodes(@TempDir Path folder) throws Exception {
    String passedOn = InstallGuide.blocks("migration.md", "From syslog-ng").get(0).text();
    for (SystemdHost node : nodes) {
      passedOn = passedOn.replace(node + DOMAIN, node.address());
    }
    try (SyslogNg syslogNg = new SyslogNg(folder, passedOn);
        Sender sender = Sender.byTcp(syslogNg.connect(WHILE), TCP_PAUSE).begin("by syslog-ng")) {
      await().until(() -> sender.sent().size() >= MESSAGES_UNDER_WAY);
      merged.awaitAll(sender.end());
    }
    merged.assertNothingElseCameTwice();
  }

  @Test
  @Order(11)
  void serverWithOtherDuties_keepsThem_andBringsItsStream() throws Exception {
    nodeA.run("rm", "/etc/rsyslog.d/60-duplog.conf");
    nodeA.write(
        "/etc/rsyslog.d/10-inputs.conf",
        """
        global(maxMessageSize="64k")
        module(load="imudp")
        input(type="imudp" port="514")
        """);
    nodeA.run("systemctl", "restart", "rsyslog");
    workstation.run(
        """
        sed -i /--bulk/d ~/pair.options
        java -jar duplog-*.jar init ~/pair @$HOME/pair.options
        ~/pair/install-all --copy syslog-a.example.net
        """);
    List<InstallGuide.Block> blocks =
        InstallGuide.blocks("migration.md", "From a single syslog server");
    assertThat(blocks).hasSize(2);
    run(nodeA, blocks.get(0));
    String apart = "/etc/rsyslog.d/20-apart.conf";
    nodeA.write(apart, ":msg, contains, \"kept apart\" /var/log/apart\n& call duplog\n& stop\n");
    nodeA.run("systemctl", "restart", "rsyslog");
    try (Sender sender = Sender.byUdp(List.of(nodeA))) {
      sender.send("at the existing server");
      sender.send("kept apart by the existing server");
      merged.awaitAll(sender.sent());
    }
    assertThat(nodeA.run("cat", "/var/log/syslog"))
        .contains("at the existing server")
        .doesNotContain("kept apart by");
    nodeA.run("rm", apart);
    run(nodeA, blocks.get(1));

    nodeA.run("mkdir", "-p", "/var/log/remote/fw-1");
    nodeA.write(
        "/var/log/remote/fw-1/asa.log",
        "Nov 27 2026 10:00:00 fw-1 : %ASA-6-302013: Built outbound TCP connection 1\n");
    assertThat(
            run(
                nodeA,
                InstallGuide.blocks("migration.md", "From files that a forwarder monitors").get(0)))
        .containsPattern("cisco:asa +1\n");
  }

  @Test
  @Order(12)
  void hostOfAnotherDeployment_isRefused_andStaysAsItWas() throws Exception {
    String before = nodeB.run("md5sum", "/etc/duplog/duplog.yaml", "/etc/duplog/redis.password");
    workstation.run(
        """
        java -jar duplog-*.jar init ~/staging --node c=syslog-b.example.net \
          --node d=other.example.net --redis other.example.net
        ! ~/staging/install-all syslog-b.example.net >~/said 2>&1
        grep 'this host belongs to another deployment' ~/said
        """);
    assertThat(nodeB.run("md5sum", "/etc/duplog/duplog.yaml", "/etc/duplog/redis.password"))
        .isEqualTo(before);
  }

  @Test
  @Order(13)
  void redisThatMovesToAHostThatHadOne_startsThere_andLeavesNoSecretsBehind() throws Exception {
    workstation.run(
        """
        sed -i 's/--redis redis.example.net/--redis syslog-b.example.net/' ~/pair.options
        java -jar duplog-*.jar init ~/pair @$HOME/pair.options | grep 'redis.example.net is no longer part'
        ~/pair/install-all syslog-b.example.net redis.example.net
        """);

    assertStopped(redis, "redis-server");
    assertThat(
            redis.answer(
                "sh",
                "-c",
                "find /etc/duplog /etc/redis -name '*.key*' -o -name '*password*' -o -name 'duplog-[os]*'"
                    + " -o -name deployment 2>/dev/null"))
        .isEmpty();
    nodeB.shell("until duplog status; do sleep 2; done");
  }

  private static String run(SystemdHost host, InstallGuide.Block block) {
    try {
      String unasked = "export DEBIAN_FRONTEND=noninteractive\n";
      return host.run("timeout", "300", "bash", "-euc", unasked + block.text());
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "on " + host + ", with the journal's end:\n" + host.answer("journalctl", "-n", "60"), e);
    }
  }
}
