package io.duplog.benchmark.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.parts.Deployed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void run(String block) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-eu", "-c", block).redirectErrorStream(true);
    builder.directory(Deployed.checkout().toFile());
    Map<String, String> environment = builder.environment();
    environment.put("HOME", home.toString());
    environment.put("STAGE", home.resolve("stage").toString());
    environment.put("PATH", home.resolve("bin") + ":" + environment.get("PATH"));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(
          "the block ended with %d:\n%s%s".formatted(process.exitValue(), block, said));
    }
  }

  /** What was sent to a host: a folder that stands for its root. */
  Path sentTo(String host) {
    return home.resolve("stage").resolve(host);
  }
}
