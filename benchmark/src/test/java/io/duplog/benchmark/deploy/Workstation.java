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

/**
 * This machine, as the one from which an administrator installs. Its scp is a stand-in that copies
 * into a folder a host, since the hosts of the test run no sshd.
 */
final class Workstation {
  private static final String SCP =
      """
      #!/bin/sh
      # scp -r FOLDER root@HOST:PATH
      [ $# = 3 ] && [ "$1" = -r ] || exit 2
      host=${3#root@}
      target=$STAGE/${host%%:*}${3#*:}
      mkdir -p "$(dirname "$target")" && cp -r "$2" "$target"
      """;

  private final Path home;

  Workstation(Path home) throws IOException {
    this.home = home;
    Path scp = Files.writeString(Files.createDirectories(home.resolve("bin")).resolve("scp"), SCP);
    if (!scp.toFile().setExecutable(true)) {
      throw new IOException(scp + " can't be made executable");
    }
  }

  /** Runs a block in the checkout. */
  void run(String block) throws LabException {
    Map<String, String> environment =
        Map.of(
            "HOME", home.toString(),
            "STAGE", home.resolve("stage").toString(),
            "PATH", home.resolve("bin") + ":" + Programs.searchPath());
    ChildProcess.Ended ended =
        ChildProcess.ended(Deployed.checkout(), environment, List.of("bash", "-eu", "-c", block));
    assertThat(ended.status()).as("of%n%s%s", block, ended.output()).isZero();
  }

  /** What was sent to a host: a folder that stands for its root. */
  Path sentTo(String host) {
    return home.resolve("stage").resolve(host);
  }
}
