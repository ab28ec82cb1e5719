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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the script {@code install} of {@code duplog init} chooses the right Redis server and
 * rsyslog queue for a host.
 */
class InstallScriptTest {
  private static final String CONF = "etc/rsyslog.d/60-duplog.conf";

  private static final String[] SECRETS = {
    "etc/duplog/redis.password",
    "etc/duplog/hec.token",
    "etc/duplog/tls/client.key",
    "etc/duplog/ingest.password",
    "etc/duplog/listen.password",
    "etc/duplog/rabbitmq.password",
    "etc/rabbitmq/tls/broker.key",
    "etc/redis/tls/redis.key"
  };

  @TempDir private Path commands;
  @TempDir private Path host;

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

  /** Makes the root of a host with this rsyslog and, if it is to be durable, what init wrote. */
  private void makeHost(String version, boolean durable) throws IOException {
    for (String folder :
        List.of("etc/rsyslog.d", "etc/duplog", "var/lib", "var/spool/rsyslog", "setup/rsyslog")) {
      Files.createDirectories(host.resolve(folder));
    }
    for (String file :
        List.of("60-duplog.conf", "60-duplog-existing.conf", "60-duplog-bulk.conf")) {
      boolean isMain = file.equals("60-duplog.conf");
      String folder = isMain ? "duplog-ingest" : "doc/duplog-ingest/examples";
      Path target = Files.createDirectories(host.resolve("usr/share").resolve(folder));
      Files.writeString(target.resolve(file), Deployed.text("rsyslog/" + file));
    }
    Files.writeString(host.resolve("etc/rsyslog.conf"), "");
    Path script = host.resolve("setup/rsyslog/durable-queue.sed");
    if (durable) {
      Files.writeString(script, Deployed.text("setup/durable-queue.sed"));
    } else {
      Files.deleteIfExists(script);
    }
    command("rsyslogd", "echo 'rsyslogd  " + version + ".0 (aka x) compiled with:'\n");
    for (String name : List.of("id", "ss", "duplog-ingest")) {
      command(name, "exit 1\n".repeat(name.equals("id") ? 1 : 0));
    }
    command("systemctl", "echo \"$@\" >>" + host + "/systemctl\n");
  }

  /** Runs the script's part for rsyslog, with the host's root in place of the real one. */
  private String startRsyslog(int status) throws Exception {
    return run(status, "start_rsyslog");
  }

  private String run(int status, String calls) throws Exception {
    String script = Deployed.text("setup/install");
    String functions =
        script.substring(script.indexOf("say() {"), script.lastIndexOf("\nclaim_host\n"));
    functions =
        functions
            .replaceAll("(?m)^\\[ .*\\|\\| die .*$", "")
            .replaceAll("(?<![\\w.])/(etc|usr/share|var)/", host + "/$1/");
    String set =
        "set -eu; pending=%1$s/pending; owner=%1$s/owner; store=redis; cd ".formatted(host)
            + host
            + "/setup\n";
    ProcessBuilder shell =
        new ProcessBuilder("/bin/sh", "-c", set + functions + "\n" + calls)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"));
    shell.environment().merge("PATH", commands.toString(), (old, first) -> first + ":" + old);
    Process process = shell.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isEqualTo(status);
    return output;
  }

  private String conf() throws IOException {
    return Files.readString(host.resolve(CONF));
  }

  private List<String> systemctl() throws IOException {
    return systemctl("rsyslog");
  }

  /** Returns what systemctl was asked to do with a unit since the last call. */
  private List<String> systemctl(String unit) throws IOException {
    Path said = host.resolve("systemctl");
    List<String> lines = Files.exists(said) ? Files.readAllLines(said) : List.of();
    Files.deleteIfExists(said);
    return lines.stream().filter(line -> line.endsWith(" " + unit)).toList();
  }

  @Test
  void nodeThatAcceptsHec_keepsItsService_andIsNotConnectedToRsyslog() throws Exception {
    makeHost("8.2610", false);
    startRsyslog(0);
    assertThat(systemctl("duplog-ingest")).contains("disable --now duplog-ingest");
    Files.createDirectories(host.resolve("setup/etc/duplog"));
    Files.writeString(host.resolve("setup/etc/duplog/duplog-ingest.yaml"), "stream: a\nhec: {}\n");

    assertThat(startRsyslog(0)).contains("rsyslog still hands messages to a shim of its own");
    Files.delete(host.resolve(CONF));
    systemctl();
    assertThat(startRsyslog(0)).doesNotContain("rsyslog still hands");

    assertThat(host.resolve(CONF).toFile().exists()).isFalse();
    assertThat(systemctl("duplog-ingest"))
        .contains("enable duplog-ingest", "start duplog-ingest")
        .doesNotContain("disable --now duplog-ingest");
  }

  @Test
  void durableQueue_isWrittenOnce_andLeftAgain() throws Exception {
    makeHost("8.2610", true);
    startRsyslog(0);
    assertThat(conf())
        .contains("queue.type=\"segmentedDisk\" queue.filename=\"duplog\" queue.size=\"20000000\"")
        .doesNotContain("highWatermark");
    assertThat(systemctl()).containsExactly("stop rsyslog", "enable rsyslog", "restart rsyslog");

    Files.writeString(host.resolve(CONF), conf() + "# mine\n");
    startRsyslog(0);
    assertThat(conf()).endsWith("# mine\n");
    assertThat(systemctl()).containsExactly("enable rsyslog", "start rsyslog");

    makeHost("8.2610", false);
    startRsyslog(0);
    assertThat(conf()).isEqualTo(Deployed.text("rsyslog/60-duplog.conf"));
    assertThat(systemctl()).containsExactly("enable rsyslog", "restart rsyslog");
  }

  @ParameterizedTest
  @CsvSource({"8.2302, 1", "8.2606, 1", "7.6, 1", "8.2608, 0", "8.2610, 0", "9.1, 0"})
  void durableQueue_isRefusedWhereRsyslogIsTooOld(String version, int status) throws Exception {
    makeHost(version, true);

    String said = startRsyslog(status);

    assertThat(said.contains("rsyslog " + version + " is too old for --durable-queue"))
        .isEqualTo(status == 1);
    assertThat(host.resolve(CONF).toFile().exists()).isEqualTo(status == 0);
  }

  /** If the durable queue came beside messages of the classic one, rsyslog would take nothing. */
  @Test
  void durableQueue_waitsUntilTheClassicOneIsDelivered() throws Exception {
    makeHost("8.2610", false);
    startRsyslog(0);
    systemctl();
    Path queue = Files.createFile(host.resolve("var/spool/rsyslog/duplog.qi"));
    makeHost("8.2610", true);

    assertThat(startRsyslog(1)).contains("messages for the broker wait in " + queue);
    assertThat(conf()).isEqualTo(Deployed.text("rsyslog/60-duplog.conf"));
    assertThat(systemctl()).containsExactly("stop rsyslog", "start rsyslog");

    Files.delete(queue);
    startRsyslog(0);
    assertThat(conf()).contains("queue.type=\"segmentedDisk\"");
  }

  private void write(String... files) throws IOException {
    for (String file : files) {
      Path path = host.resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, "secret");
    }
  }

  private List<String> left() throws IOException {
    try (Stream<Path> all = Files.walk(host.resolve("etc"))) {
      return all.filter(Files::isRegularFile)
          .map(file -> host.resolve("etc").relativize(file).toString())
          .filter(file -> !file.startsWith("rsyslog"))
          .sorted()
          .toList();
    }
  }

  @Test
  void hostThatLeft_keepsNoSecrets_andIsFree() throws Exception {
    makeHost("8.2302", false);
    write(SECRETS);
    write("etc/duplog/rabbitmq.password.before", "etc/redis/tls/redis.key.before.~1~");
    write("etc/redis/duplog-options.conf.before", "etc/duplog/duplog.yaml.before", "owner");
    write("etc/rabbitmq/conf.d/60-duplog.conf", CONF);
    write("setup/etc/redis/tls/redis.pem~");

    run(0, "leave_node; forget_secrets");

    assertThat(left())
        .containsExactly("duplog/duplog.yaml.before", "rabbitmq/conf.d/60-duplog.conf.before");
    assertThat(host.resolve(CONF)).doesNotExist();
    assertThat(systemctl()).containsExactly("restart rsyslog");
  }

  @Test
  void hostThatHasNoBridgeAnyMore_keepsWhatItsNodeNeeds() throws Exception {
    makeHost("8.2302", false);
    write(SECRETS);
    write("setup/etc/duplog/duplog-ingest.yaml", "setup/etc/duplog/rabbitmq.password");

    run(0, "forget_secrets");

    assertThat(left())
        .containsExactly(
            "duplog/ingest.password",
            "duplog/listen.password",
            "duplog/rabbitmq.password",
            "rabbitmq/tls/broker.key");
  }

  @Test
  void secretThatIsReplaced_isNotKept_andOtherFilesAre() throws Exception {
    makeHost("8.2302", false);
    write("etc/duplog/a.password", "etc/duplog/b.yaml");

    run(0, "keep %1$s/a.password; keep %1$s/b.yaml".formatted(host.resolve("etc/duplog")));

    assertThat(left())
        .containsExactly("duplog/a.password", "duplog/b.yaml", "duplog/b.yaml.before");
  }

  @Test
  void redisThatLeft_leavesNoPasswordsInItsOwnFiles() throws Exception {
    makeHost("8.2302", false);
    write("etc/redis/duplog-options.conf", "etc/redis/duplog-sentinel.conf");
    write("etc/redis/redis.conf.before", "etc/redis/sentinel.conf.before.~1~");
    Files.createDirectories(host.resolve("setup/etc"));
    Files.writeString(host.resolve("etc/redis/redis.conf"), "port 1\nmasterauth x\n");
    Files.writeString(
        host.resolve("etc/redis/sentinel.conf"),
        "port 2\nsentinel auth-pass duplog x\nsentinel sentinel-pass x\n");

    run(0, "redis=redis-server sentinel=redis-sentinel; leave_redis");

    assertThat(left()).containsExactly("redis/redis.conf", "redis/sentinel.conf");
    assertThat(host.resolve("etc/redis/redis.conf")).hasContent("port 1");
    assertThat(host.resolve("etc/redis/sentinel.conf")).hasContent("port 2");
  }

  @Test
  void hostOfAnotherDeployment_isRefused_untilThatHasLeftIt() throws Exception {
    makeHost("8.2302", false);
    Path deployment = Files.writeString(host.resolve("setup/deployment"), "one");
    run(0, "claim_host");
    run(0, "claim_host");

    Files.writeString(deployment, "two");
    assertThat(run(1, "claim_host"))
        .contains("this host belongs to another deployment", "remove " + host + "/owner");

    Files.delete(host.resolve("owner"));
    run(0, "claim_host");
    assertThat(host.resolve("owner")).hasContent("two");
  }
}
