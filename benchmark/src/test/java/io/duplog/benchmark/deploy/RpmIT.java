package io.duplog.benchmark.deploy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.parts.Deployed;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that the RPMs contain the same files as the Debian packages, and can be installed, upgraded
 * and removed. The test runs on Debian, without the RPMs' dependencies and SELinux.
 */
class RpmIT {
  private static final Pattern DEBIAN_ONLY_FILES =
      Pattern.compile("/usr/share/lintian/.*|/usr/share/doc/[^/]*/changelog.gz");

  private static final Pattern RED_HAT_ONLY_FILES =
      Pattern.compile("/usr/share/licenses/.*|/usr/share/selinux/.*");

  /** The beginning of a header of an RPM, and of its payload. */
  private static final String HEADER_MAGIC = "\u008e\u00ad\u00e8\u0001";

  private static final String GZIP_MAGIC = "\u001f\u008b\b";

  /**
   * Script that compiles the SELinux module. Debian's base module is based on the same reference
   * policy. Its users need other modules.
   */
  private static final String COMPILE_MODULE =
      """
      apt-get download secilc policycoreutils selinux-policy-default
      for package in *.deb; do dpkg -x "$package" .; done
      bzcat usr/share/selinux/default/base.pp.bz2 >base.pp
      usr/libexec/selinux/hll/pp base.pp | grep -v '^(selinuxuser\\|^(userprefix' >base.cil
      usr/bin/secilc --output policy --filecontext contexts base.cil %s
      grep duplog contexts | tr '\\t' ' '
      """;

  @ParameterizedTest
  @EnumSource
  void rpm_listed_hasFilesAndModesOfDebianPackage(DebianPackage debianPackage) throws Exception {
    List<String> debian =
        run("dpkg-deb", "--contents", debianPackage.file().toString())
            .lines()
            .map(line -> line.split("\\s+"))
            .filter(words -> words[0].startsWith("-"))
            .map(words -> words[0] + " " + words[5].substring(1))
            .filter(file -> !DEBIAN_ONLY_FILES.matcher(path(file)).matches())
            .map(file -> file.replace("/etc/default/", "/etc/sysconfig/"))
            .toList();
    List<String> files =
        run(
                "rpm",
                "-qp",
                "--qf",
                "[%{FILEMODES:perms} %{FILENAMES}\n]",
                debianPackage.rpm().toString())
            .lines()
            .filter(
                file -> file.startsWith("-") && !RED_HAT_ONLY_FILES.matcher(path(file)).matches())
            .toList();

    assertThat(files).isNotEmpty().containsExactlyInAnyOrderElementsOf(debian);
  }

  private static String path(String file) {
    return file.substring(file.indexOf('/'));
  }

  @Test
  void rpms_checkedByRpmlint_haveNoErrors() throws Exception {
    assertThat(
            run(
                "rpmlint",
                "--config=" + Path.of("..", "deploy", "rpm", "rpmlint.toml").toAbsolutePath(),
                DebianPackage.BRIDGE.rpm().toString(),
                DebianPackage.INGEST.rpm().toString()))
        .contains(" 0 errors");
  }

  @Test
  void selinuxModule_referencePolicy_isCompiled(@TempDir Path folder) throws Exception {
    Path module = Deployed.checkout().resolve("deploy/rpm/ingest/duplog-ingest.cil");

    assertThat(ChildProcess.run(folder, List.of("sh", "-ec", COMPILE_MODULE.formatted(module))))
        .contains("/usr/bin/duplog-ingest -- system_u:object_r:duplog_ingest_exec_t:s0");
  }

  @Test
  void rpms_installedUpgradedAndRemoved_restartRunningService(@TempDir Path folder)
      throws Exception {
    try (SystemdHost host = SystemdHost.booted("rpm")) {
      for (DebianPackage debianPackage : DebianPackage.values()) {
        host.copyIn(debianPackage.rpm(), "/root/" + debianPackage.title() + ".rpm");
        Path laterRpm = folder.resolve(debianPackage.title() + "-later.rpm");
        host.copyIn(
            Files.writeString(laterRpm, createLaterRpm(debianPackage.rpm()), ISO_8859_1),
            "/root/" + laterRpm.getFileName());
        host.run("rpm", "--install", "--nodeps", "/root/" + debianPackage.title() + ".rpm");
      }
      assertThat(
              host.shell(
                      "stat -c '%A %U %G %n' /etc/duplog /etc/duplog/* /var/*/duplog"
                          + " /var/lib/duplog-ingest /usr/bin/duplog*")
                  .lines())
          .containsExactlyInAnyOrder(
              "drwxr-xr-x root root /etc/duplog",
              "-rw-r----- root duplog /etc/duplog/duplog.yaml",
              "-rw-r----- root duplog-ingest /etc/duplog/duplog-ingest.yaml",
              "drwxr-x--- duplog duplog /var/lib/duplog",
              "drwxr-x--- duplog duplog /var/log/duplog",
              "drwxr-x--- duplog-ingest duplog-ingest /var/lib/duplog-ingest",
              "-rwxr-xr-x root root /usr/bin/duplog",
              "-rwxr-xr-x root root /usr/bin/duplog-ingest");
      assertThat(host.run("rpm", "--verify", "--nodeps", "duplog-bridge", "duplog-ingest"))
          .isEmpty();
      assertThat(host.run("systemctl", "show", "-p", "ActiveState,UnitFileState", "duplog-bridge"))
          .contains("ActiveState=inactive", "UnitFileState=disabled");
      host.shell("echo 'BRIDGE_JAVA_OPTS=--no-such-option' >>/etc/sysconfig/duplog-bridge");
      assertThat(host.answer("runuser", "-u", "duplog", "--", "duplog", "bridge"))
          .contains("--no-such-option");

      host.run("mv", "/etc/rsyslog.d/60-duplog.conf.disabled", "/etc/rsyslog.d/60-duplog.conf");
      upgradeRunningService(host);
      assertThat(host.run("ls", "/etc/rsyslog.d")).doesNotContain("disabled");

      host.run("rpm", "--erase", "duplog-bridge", "duplog-ingest");
      assertThat(host.answer("systemctl", "is-active", "duplog-bridge").strip())
          .isNotEqualTo("active");
      assertThat(
              host.answer("sh", "-c", "find /etc /usr -xdev -name '*duplog*' -not -type d").lines())
          .containsExactlyInAnyOrder(
              "/etc/rsyslog.d/60-duplog.conf.removed", "/etc/sysconfig/duplog-bridge.rpmsave");
    }
  }

  /** Returns a package with version 9, of the same length and with matching digests. */
  @SuppressWarnings("deprecation") // RPMs have MD5 and SHA-1 in addition to SHA-256.
  private static String createLaterRpm(Path rpm) throws IOException {
    String bytes = Files.readString(rpm, ISO_8859_1);
    int header =
        bytes.indexOf(
            HEADER_MAGIC, bytes.indexOf(HEADER_MAGIC) + 1); // The first header has the signatures.
    int payload = bytes.indexOf(GZIP_MAGIC, header);
    String version = rpm.getFileName().toString().replaceAll("^[a-z-]+(.*)-1\\..*", "$1");
    String before = bytes.substring(header, payload);
    String after = before.replace(version, "9" + version.substring(1));
    String signatures = bytes.substring(0, header);
    for (HashFunction digest : List.of(Hashing.sha1(), Hashing.sha256())) {
      signatures =
          signatures.replace(
              digest.hashString(before, ISO_8859_1).toString(),
              digest.hashString(after, ISO_8859_1).toString());
    }
    String payloadBytes = bytes.substring(payload);
    return signatures.replace(md5(before + payloadBytes), md5(after + payloadBytes))
        + after
        + payloadBytes;
  }

  @SuppressWarnings("deprecation")
  private static String md5(String bytes) {
    return new String(Hashing.md5().hashString(bytes, ISO_8859_1).asBytes(), ISO_8859_1);
  }

  /** Upgrades a running service. Its program only waits, so that only the package can end it. */
  private static void upgradeRunningService(SystemdHost host) {
    host.run("mkdir", "-p", "/etc/systemd/system/duplog-bridge.service.d");
    host.write(
        "/etc/systemd/system/duplog-bridge.service.d/wait.conf",
        """
        [Service]
        Type=exec
        WatchdogSec=0
        ExecStart=
        ExecStart=/bin/sleep 1d
        """);
    host.run("systemctl", "daemon-reload");
    host.run("systemctl", "start", "duplog-bridge");
    String before = host.run("systemctl", "show", "-p", "MainPID", "duplog-bridge");

    host.shell("rpm --upgrade --nodeps /root/*-later.rpm");

    assertThat(
            host.run("rpm", "-q", "--qf", "%{NAME} %{VERSION}\n", "duplog-bridge", "duplog-ingest"))
        .matches("duplog-bridge 9.*\nduplog-ingest 9.*\n");
    assertThat(host.run("systemctl", "show", "-p", "ActiveState,MainPID", "duplog-bridge"))
        .contains("ActiveState=active")
        .doesNotContain(before.strip());
    assertThat(host.run("cat", "/etc/sysconfig/duplog-bridge")).contains("--no-such-option");
  }

  private static String run(String... command) throws LabException {
    return ChildProcess.run(Path.of("/"), List.of(command));
  }
}
