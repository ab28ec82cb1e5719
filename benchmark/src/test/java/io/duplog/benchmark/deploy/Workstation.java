package io.duplog.benchmark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.parts.Deployed;
import io.duplog.rig.LabException;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Simulates the machine from which an administrator installs a release on the test hosts with the
 * scripts of {@code duplog init}. Its ssh is a stand-in that enters a container, because the test
 * hosts run no sshd.
 */
final class Workstation {
  private static final String SSH_STAND_IN =
      """
      #!/bin/sh
      # ssh root@HOST COMMAND
      [ $# = 2 ] || exit 2
      id=$(sed -n "s/^${1#root@} //p" "$HOME/containers")
      exec docker exec --interactive --workdir /root "${id:?no host $1}" sh -c "$2"
      """;

  private final Path home;

  /** Creates a signed release from the build. */
  Workstation(Path home, List<SystemdHost> hosts, String domain) throws Exception {
    this.home = home;
    Path ssh =
        Files.writeString(
            Files.createDirectories(home.resolve("bin")).resolve("ssh"), SSH_STAND_IN);
    if (!ssh.toFile().setExecutable(true)) {
      throw new IOException(ssh + " can't be made executable");
    }
    String containers =
        hosts.stream()
            .map(host -> host + domain + " " + host.containerId() + "\n")
            .collect(Collectors.joining());
    Files.writeString(home.resolve("containers"), containers);
    run(
        Deployed.checkout(),
        """
        mkdir -m 0700 ~/.gnupg
        gpg --batch --passphrase '' --quick-generate-key tester
        deploy/release --built --sign tester ~/dist
        gpgconf --kill all
        """);
    run("gpg --verify SHA256SUMS.asc SHA256SUMS");
  }

  /** Runs a block of commands in the release's folder. */
  void run(String block) throws LabException {
    run(home.resolve("dist"), block);
  }

  private void run(Path folder, String block) throws LabException {
    Map<String, String> environment =
        Map.of("HOME", home.toString(), "PATH", home.resolve("bin") + ":" + Programs.searchPath());
    ChildProcess.Result result =
        ChildProcess.runAllowingFailure(folder, environment, List.of("bash", "-eu", "-c", block));
    assertThat(result.status()).as("of%n%s%s", block, result.output()).isZero();
  }

  /** Returns a password that {@code duplog init} created. */
  String password(String name) {
    return Deployed.read(home.resolve("pair/passwords").resolve(name));
  }

  /** Replaces the release's packages with the same programs under a higher version. */
  void makeNewPackages() throws LabException {
    run(
        """
        for package in *.deb; do
          dpkg-deb -R $package new
          sed -i 's/^Version: .*/Version: 99/' new/DEBIAN/control
          dpkg-deb -Znone --root-owner-group -b new ${package%%_*}_99_all.deb
          rm -r new $package
        done
        """);
  }
}
