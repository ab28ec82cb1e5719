package io.duplog.benchmark.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests that both Debian packages, once installed, merge messages on a fresh host, and that purging
 * them leaves only the merged stream.
 */
class InstallIT {
  private static final List<String> UNITS =
      List.of("duplog-bridge.service", "duplog-ingest.service");
  private static final String MERGED_FILE = "/var/log/duplog/merged.log";

  @Test
  void packages_installedThenPurged_leaveOnlyMergedStream() {
    try (SystemdHost host = SystemdHost.booted("fresh")) {
      for (DebianPackage debianPackage : DebianPackage.values()) {
        debianPackage.copyTo(host);
        host.run("dpkg", "-i", debianPackage.deb());
        // A second installation runs the maintainer scripts on an existing one.
        host.run("dpkg", "-i", debianPackage.deb());
      }
      assertInstalled(host);
      assertHardened(host);
      assertUnconfiguredServiceEnds(host);
      assertWorksWithNoexecTmp(host);

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
      host.write(MERGED_FILE, "not forwarded yet");
      host.run("dpkg", "-P", "duplog-bridge");
      assertThat(host.answer("cat", "/etc/duplog/rabbitmq.password"))
          .as("the password belongs to the shim, which is still installed")
          .isEqualTo("secret");
      host.run("dpkg", "-P", "duplog-ingest");
      assertThat(host.answer("find", "/etc", "/usr", "/var", "-xdev", "-name", "*duplog*").strip())
          .isEqualTo("/var/log/duplog");
      assertThat(host.answer("sh", "-c", "getent passwd; getent group")).doesNotContain("duplog");
      assertMergedStreamIsKept(host);
      assertSymbolicLinkIsNotFollowed(host);
    }
  }

  /**
   * Asserts that the kept files belong to root after the packages are purged, and to the new user
   * after the next installation.
   */
  private static void assertMergedStreamIsKept(SystemdHost host) {
    assertThat(host.run("cat", MERGED_FILE)).isEqualTo("not forwarded yet");
    assertThat(host.run("stat", "-c", "%U", "/var/log/duplog", MERGED_FILE).lines())
        .containsExactly("root", "root");
    host.run("dpkg", "-i", DebianPackage.BRIDGE.deb());
    assertThat(host.run("stat", "-c", "%A %U %G", "/var/log/duplog", MERGED_FILE).lines())
        .first()
        .isEqualTo("drwxr-s--- duplog adm");
    assertThat(host.run("stat", "-c", "%U", MERGED_FILE).strip()).isEqualTo("duplog");
    host.run("dpkg", "-P", "duplog-bridge");
    host.run("rm", "-r", "/var/log/duplog");
  }

  private static void assertSymbolicLinkIsNotFollowed(SystemdHost host) {
    host.run("mkdir", "-m", "0700", "/srv/other");
    host.run("ln", "-s", "/srv/other", "/var/log/duplog");

    assertThat(host.shell("dpkg -i %s 2>&1".formatted(DebianPackage.BRIDGE.deb())))
        .contains("/var/log/duplog is no folder of its own");

    assertThat(host.run("stat", "-c", "%A %U", "/srv/other").strip()).isEqualTo("drwx------ root");
    host.run("dpkg", "-P", "duplog-bridge");
    assertThat(host.run("readlink", "/var/log/duplog").strip()).isEqualTo("/srv/other");
  }

  /**
   * Tests a hardened host, where /tmp allows no executables. Zstd's library must be loaded from
   * another folder.
   */
  private static void assertWorksWithNoexecTmp(SystemdHost host) {
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
        .as("root loads no library from the bridge's folder")
        .contains("PROBLEM      compression: zstd's library can't be loaded from /tmp");
    host.write(
        "/srv/ingest.yaml",
        """
        stream: syslog-a
        broker: {host: 127.0.0.1, user: guest, password: guest}
        omprog: {mode: confirm}
        """);
    assertThat(host.answer("sh", "-c", "duplog-ingest --config /srv/ingest.yaml --check 2>&1"))
        .as("the broker is checked after the compression")
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
          .matches(
              each + " " + Pattern.quote(installedVersion(host, name)) + " \\(.+, Java \\d.+\\)\n");
    }
    assertThat(completions(host, "duplog", "stat")).contains("status", "statement");
    assertThat(completions(host, "duplog-ingest", "--li")).contains("--listen");

    // The configuration is a sample, so the installation starts no service.
    assertThat(host.run("systemctl", "show", "-p", "ActiveState,UnitFileState", "duplog-bridge"))
        .contains("ActiveState=inactive", "UnitFileState=disabled");
  }

  /** Returns bash's completions for the beginning of a word after a command. */
  private static List<String> completions(SystemdHost host, String command, String word) {
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

  private static String installedVersion(SystemdHost host, String name) {
    return host.run("dpkg-query", "-W", "-f", "${Version}", name);
  }

  private static void assertHardened(SystemdHost host) {
    for (String unit : UNITS) {
      String file = "/usr/lib/systemd/system/" + unit;
      assertThat(host.answer("systemd-analyze", "verify", "--man=no", file))
          .doesNotContain("duplog");
      // Exposure in tenths: 30 means 3.0. The exit status shows whether it is above.
      assertThat(host.run("systemd-analyze", "security", "--offline=true", "--threshold=30", file))
          .contains("Overall exposure level for " + unit);
    }
  }

  /**
   * Asserts that a service without its secrets ends, and is not restarted. A restart would not
   * help.
   */
  private static void assertUnconfiguredServiceEnds(SystemdHost host) {
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
