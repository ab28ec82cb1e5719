package io.duplog.benchmark.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests both packages on a host that never had them: installed, removed, purged. */
class InstallIT {
  private static final List<String> UNITS =
      List.of("duplog-bridge.service", "duplog-ingest.service");
  private static final String MERGED = "/var/log/duplog/merged.log";

  @Test
  void packages_installedRemovedAndPurged_leaveTheMergedStreamOnly() {
    try (SystemdHost host = SystemdHost.booted("fresh")) {
      for (DebianPackage made : DebianPackage.values()) {
        made.copyTo(host);
        host.run("dpkg", "-i", made.deb());
        // Once more: maintainer scripts find what they did before.
        host.run("dpkg", "-i", made.deb());
      }
      assertInstalled(host);
      assertHardened(host);
      assertUnconfiguredEnds(host);
      assertNeedsNoExecutableTmp(host);

      host.run("dpkg", "-r", "duplog-bridge", "duplog-ingest");
      assertThat(installedFiles(host))
          .containsExactlyInAnyOrder(
              "/etc/default/duplog-bridge",
              "/etc/default/duplog-ingest",
              "/etc/duplog/duplog-ingest.yaml",
              "/etc/duplog/duplog.yaml",
              "/etc/logrotate.d/duplog-bridge",
              "/etc/logrotate.d/duplog-ingest",
              "/etc/rsyslog.d/60-duplog.conf.disabled");

      host.write("/etc/duplog/rabbitmq.password", "secret");
      host.write(MERGED, "not forwarded yet");
      host.run("dpkg", "-P", "duplog-bridge");
      assertThat(host.answer("cat", "/etc/duplog/rabbitmq.password"))
          .as("the shim's, which is still installed")
          .isEqualTo("secret");
      host.run("dpkg", "-P", "duplog-ingest");
      assertThat(host.answer("find", "/etc", "/usr", "/var", "-xdev", "-name", "*duplog*").strip())
          .isEqualTo("/var/log/duplog");
      assertThat(host.answer("sh", "-c", "getent passwd; getent group")).doesNotContain("duplog");
      assertKeptForItsReader(host);
      assertNoLinkInPlaceOfTheLogsIsFollowed(host);
    }
  }

  /**
   * Asserts that the kept files belong to root between two installations, and to the user of the
   * next one afterwards.
   */
  private static void assertKeptForItsReader(SystemdHost host) {
    assertThat(host.run("cat", MERGED)).isEqualTo("not forwarded yet");
    assertThat(host.run("stat", "-c", "%U", "/var/log/duplog", MERGED).lines())
        .containsExactly("root", "root");
    host.run("dpkg", "-i", DebianPackage.BRIDGE.deb());
    assertThat(host.run("stat", "-c", "%A %U %G", "/var/log/duplog", MERGED).lines())
        .first()
        .isEqualTo("drwxr-s--- duplog adm");
    assertThat(host.run("stat", "-c", "%U", MERGED).strip()).isEqualTo("duplog");
    host.run("dpkg", "-P", "duplog-bridge");
    host.run("rm", "-r", "/var/log/duplog");
  }

  private static void assertNoLinkInPlaceOfTheLogsIsFollowed(SystemdHost host) {
    host.run("mkdir", "-m", "0700", "/srv/other");
    host.run("ln", "-s", "/srv/other", "/var/log/duplog");

    assertThat(host.shell("dpkg -i %s 2>&1".formatted(DebianPackage.BRIDGE.deb())))
        .contains("/var/log/duplog is no folder of its own");

    assertThat(host.run("stat", "-c", "%A %U", "/srv/other").strip()).isEqualTo("drwx------ root");
    host.run("dpkg", "-P", "duplog-bridge");
    assertThat(host.run("readlink", "/var/log/duplog").strip()).isEqualTo("/srv/other");
  }

  /** Checks a hardened host, where zstd's library is loaded from elsewhere. */
  private static void assertNeedsNoExecutableTmp(SystemdHost host) {
    host.run("mount", "-t", "tmpfs", "-o", "noexec", "none", "/tmp");
    String asBridge = "runuser -u duplog -- duplog check --config /srv/duplog.yaml";
    host.write(
        "/srv/duplog.yaml",
        """
        streams:
          - {name: syslog-a, host: 127.0.0.1, user: guest, password: guest, queues: [duplog]}
          - {name: syslog-b, host: 127.0.0.1, user: guest, password: guest, queues: [silent]}
        dedup: {store: memory}
        sink: {type: file, file: {path: /var/log/duplog/merged.log}}
        """);
    assertThat(host.answer("sh", "-c", asBridge)).containsPattern("\ncompression\n +ok ");
    assertThat(host.answer("sh", "-c", "duplog check --config /srv/duplog.yaml"))
        .as("as root, who loads nothing from the bridge's folder")
        .contains("PROBLEM      compression: zstd's library can't be loaded from /tmp");
    host.write(
        "/srv/ingest.yaml",
        """
        stream: syslog-a
        broker: {host: 127.0.0.1, user: guest, password: guest}
        omprog: {mode: confirm}
        """);
    assertThat(host.answer("sh", "-c", "duplog-ingest --config /srv/ingest.yaml --check 2>&1"))
        .as("the broker is tried after the compression")
        .contains("127.0.0.1:5672")
        .doesNotContain("compression");
    host.run("umount", "/tmp");
  }

  private static void assertInstalled(SystemdHost host) {
    assertThat(
            host.shell(
                    "stat -c '%A %U %G %n' /etc/duplog /etc/duplog/* /var/*/duplog"
                        + " /usr/bin/duplog*")
                .lines())
        .containsExactlyInAnyOrder(
            "drwxr-xr-x root root /etc/duplog",
            "-rw-r----- root duplog /etc/duplog/duplog.yaml",
            "-rw-r----- root duplog-ingest /etc/duplog/duplog-ingest.yaml",
            "drwxr-x--- duplog duplog /var/lib/duplog",
            "drwxr-s--- duplog adm /var/log/duplog",
            "-rwxr-xr-x root root /usr/bin/duplog",
            "-rwxr-xr-x root root /usr/bin/duplog-ingest");
    assertThat(
            host.run("dpkg-query", "-W", "-f", "${Conffiles}\n", "duplog-bridge", "duplog-ingest"))
        .contains("/etc/duplog/duplog.yaml ", "/etc/duplog/duplog-ingest.yaml ");
    for (String each : List.of("duplog", "duplog-ingest")) {
      String name = each.equals("duplog") ? "duplog-bridge" : each;
      assertThat(host.answer(each, "--version"))
          .matches(each + " " + Pattern.quote(version(host, name)) + " \\(.+, Java \\d.+\\)\n");
    }
    assertThat(completed(host, "duplog", "stat")).contains("status", "statement");
    assertThat(completed(host, "duplog-ingest", "--li")).contains("--listen");

    // The configuration is a sample: nothing starts by itself.
    assertThat(host.run("systemctl", "show", "-p", "ActiveState,UnitFileState", "duplog-bridge"))
        .contains("ActiveState=inactive", "UnitFileState=disabled");
  }

  /** Returns what bash offers after a command for the beginning of a word. */
  private static List<String> completed(SystemdHost host, String command, String word) {
    return host.run(
            "bash",
            "-c",
            """
            . /usr/share/bash-completion/completions/%1$s
            COMP_WORDS=(%1$s %2$s) COMP_CWORD=1
            $(complete -p %1$s | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            printf '%%s\n' "${COMPREPLY[@]}"
            """
                .formatted(command, word))
        .lines()
        .toList();
  }

  private static String version(SystemdHost host, String name) {
    return host.run("dpkg-query", "-W", "-f", "${Version}", name);
  }

  private static void assertHardened(SystemdHost host) {
    for (String unit : UNITS) {
      String file = "/usr/lib/systemd/system/" + unit;
      assertThat(host.answer("systemd-analyze", "verify", "--man=no", file))
          .doesNotContain("duplog");
      // Exposure in tenths: 30 is 3.0. The exit status tells whether it is above.
      assertThat(host.run("systemd-analyze", "security", "--offline=true", "--threshold=30", file))
          .contains("Overall exposure level for " + unit);
    }
  }

  /**
   * Asserts that a service without its secrets ends, and is not started again, which would change
   * nothing.
   */
  private static void assertUnconfiguredEnds(SystemdHost host) {
    assertThat(host.answer("systemctl", "start", "duplog-bridge")).contains("failed");
    assertThat(host.run("systemctl", "show", "-p", "ActiveState,NRestarts", "duplog-bridge"))
        .contains("ActiveState=failed", "NRestarts=0");
    await().until(() -> host.journal("duplog-bridge").contains("/etc/duplog/rabbitmq.password"));
  }

  private static Iterable<String> installedFiles(SystemdHost host) {
    return host.answer(
            "sh", "-c", "find /etc /usr -xdev -name '*duplog*' -not -type d -not -path '*/wants/*'")
        .lines()
        .toList();
  }
}
