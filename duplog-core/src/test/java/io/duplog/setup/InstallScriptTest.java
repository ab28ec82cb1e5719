package io.duplog.setup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.duplog.parts.Deployed;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which server {@code install} takes, on hosts that have only these commands. */
class InstallScriptTest {
  @TempDir private Path commands;

  private Path command(String name, String text) throws IOException {
    Path file = Files.writeString(commands.resolve(name), "#!/bin/sh\n" + text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /**
   * @param kind of the host's packages, deb or rpm
   */
  private String chosen(String kind) throws Exception {
    command("readlink", "exec /usr/bin/readlink \"$@\"\n");
    String script = Deployed.text("setup/install");
    int begin = script.indexOf("choose_store() {");
    String function = script.substring(begin, script.indexOf("\n}\n", begin) + 3);
    String set = "set -eu; kind=" + kind + " suffix=" + (kind.equals("deb") ? "-server" : "");
    ProcessBuilder shell =
        new ProcessBuilder("/bin/sh", "-c", set + "\n" + function + "choose_store; echo $redis")
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"));
    shell.environment().put("PATH", commands.toString());
    Process process = shell.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.strip();
  }

  @ParameterizedTest
  @CsvSource({
    "deb, -, -, redis-server",
    "deb, redis-server, -, redis-server",
    "deb, valkey-server, -, valkey-server",
    "deb, redis-server valkey-server, -, redis-server",
    "rpm, -, redis, redis",
    "rpm, -, redis valkey, redis",
    "rpm, -, valkey, valkey",
    "rpm, -, -, redis",
    "rpm, redis-server, valkey, redis",
    "rpm, valkey-server, redis, valkey",
  })
  void server_isTheInstalledOne_orRedis_orWhatCanBeHad(
      String kind, String installed, String offered, String server) throws Exception {
    for (String name : Splitter.on(' ').split(installed)) {
      if (name.length() > 1) {
        command(name, "");
      }
    }
    command("dnf", "case ' %s ' in *\" $4 \"*) ;; *) exit 1 ;; esac\n".formatted(offered));

    assertThat(chosen(kind)).isEqualTo(server);
  }

  @Test
  void redisThatIsAnotherNameOfValkey_isValkey() throws Exception {
    Path valkey = command("valkey-server", "");
    Files.createSymbolicLink(commands.resolve("redis-server"), valkey);

    assertThat(chosen("rpm")).isEqualTo("valkey");
  }
}
