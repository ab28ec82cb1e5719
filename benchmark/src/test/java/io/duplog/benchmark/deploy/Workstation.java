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
 * Plays the machine from which an administrator installs. It has a release, and its ssh is a
 * stand-in that enters a container, since the hosts of the test run no sshd.
 */
final class Workstation {
  private static final String SSH =
      """
      #!/bin/sh
      # ssh root@HOST COMMAND
      [ $# = 2 ] || exit 2
      id=$(sed -n "s/^${1#root@} //p" "$HOME/containers")
      exec docker exec --interactive --workdir /root "${id:?no host $1}" sh -c "$2"
      """;

  private final Path home;

  /** Takes a signed release of what the build has made. */
  Workstation(Path home, List<SystemdHost> hosts, String domain) throws Exception {
    this.home = home;
    Path ssh = Files.writeString(Files.createDirectories(home.resolve("bin")).resolve("ssh"), SSH);
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

  /** Runs a block in the release's folder. */
  void run(String block) throws LabException {
    run(home.resolve("dist"), block);
  }

  private void run(Path folder, String block) throws LabException {
    Map<String, String> environment =
        Map.of("HOME", home.toString(), "PATH", home.resolve("bin") + ":" + Programs.searchPath());
    ChildProcess.Ended ended =
        ChildProcess.ended(folder, environment, List.of("bash", "-eu", "-c", block));
    assertThat(ended.status()).as("of%n%s%s", block, ended.output()).isZero();
  }

  /** Returns a password that init has made. */
  String password(String name) {
    return Deployed.read(home.resolve("pair/passwords").resolve(name));
  }

  /** Puts the same programs under a higher version into the release, in place of its packages. */
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
