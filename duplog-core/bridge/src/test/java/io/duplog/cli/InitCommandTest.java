package io.duplog.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.Secret;
import io.duplog.dedup.redis.RedisConfig;
import io.duplog.parts.Deployed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Tests that {@code duplog init} writes complete files for each host, and keeps secrets and edited
 * files when it runs again.
 */
@Tag("slow")
class InitCommandTest {
  private static final String PAIR = "--node=a=a.example --node=b=b.example --redis=r.example";

  @TempDir private Path folder;
  private Path pair;
  private Path packages;

  @BeforeEach
  void makePackages() throws IOException {
    pair = folder.resolve("pair");
    packages = Files.createDirectory(folder.resolve("dist"));
    for (String name : List.of("duplog-bridge_1_all.deb", "duplog-ingest_1_all.deb", "other.deb")) {
      Files.writeString(packages.resolve(name), name);
    }
  }

  private Commands.Said init(int status, String options) {
    List<String> line = new ArrayList<>(List.of("init", pair.toString()));
    line.addAll(List.of("--packages", packages.toString()));
    Stream.of(options.split(" ", -1)).filter(option -> !option.isEmpty()).forEach(line::add);
    return Commands.run(status, null, line.toArray(String[]::new));
  }

  private String text(String file) throws IOException {
    return Files.readString(pair.resolve(file));
  }

  /**
   * Parses a host's duplog.yaml as a bridge does, with the secrets of the host's folder in place of
   * those in {@code /etc/duplog}.
   */
  private BridgeConfig bridge(String host) throws IOException, ConfigException {
    String here = pair.resolve(host).resolve("etc/duplog").toString();
    return ConfigLoader.of(Map.of(), "host-1")
        .parse(
            "duplog.yaml",
            text(host + "/etc/duplog/duplog.yaml").replace("/etc/duplog", here),
            BridgeConfig.class);
  }

  @Test
  void eachHost_getsItsOwnFiles_andOnlyTheSecretsThatItNeeds() throws Exception {
    init(0, PAIR + " --bridge=c.example");

    assertThat(files("a.example"))
        .containsExactlyInAnyOrder(
            "install",
            "deployment",
            "etc/duplog/duplog-ingest.yaml",
            "etc/duplog/ingest.password",
            "etc/duplog/rabbitmq.password",
            "etc/rabbitmq/conf.d/60-duplog.conf",
            "rabbitmq/definitions.json",
            "rabbitmq/setup",
            "packages/duplog-ingest_1_all.deb");
    assertThat(files("c.example"))
        .containsExactlyInAnyOrder(
            "install",
            "deployment",
            "etc/duplog/duplog.yaml",
            "etc/duplog/rabbitmq.password",
            "etc/duplog/redis.password",
            "packages/duplog-bridge_1_all.deb");
    assertThat(files("r.example"))
        .containsExactlyInAnyOrder(
            "install",
            "deployment",
            "etc/redis/duplog.conf",
            "etc/redis/duplog-options.conf",
            "etc/redis/users.acl");
    assertThat(text("a.example/etc/duplog/ingest.password"))
        .hasSize(48)
        .isNotEqualTo(text("b.example/etc/duplog/ingest.password"))
        .isNotEqualTo(text("a.example/etc/duplog/rabbitmq.password"));
    assertThat(text("r.example/etc/redis/users.acl"))
        .contains("#" + sha256(text("c.example/etc/duplog/redis.password")) + " ~duplog")
        .contains("operator reset on #" + sha256(text("passwords/operator")))
        .doesNotContain("@BRIDGE", "@OPERATOR");
  }

  @Test
  void bridgeFile_isAValidConfiguration() throws Exception {
    init(0, PAIR);

    BridgeConfig bridge = bridge("b.example");
    assertThat(bridge.streamNames()).isEqualTo("a, b");
    assertThat(bridge.streams().get(1).host()).isEqualTo("b.example");
    assertThat(bridge.streams().get(1).password())
        .isEqualTo(new Secret(text("a.example/etc/duplog/rabbitmq.password")));
    assertThat(bridge.dedup().redis().host()).isEqualTo("r.example");
    assertThat(text("b.example/etc/duplog/duplog.yaml"))
        .isEqualTo(text("a.example/etc/duplog/duplog.yaml"));
    assertThat(text("b.example/etc/duplog/duplog-ingest.yaml")).contains("\nstream: \"b\" ");
  }

  @Test
  void twoRedisServers_areAMasterAndItsReplica_withThreeSentinels() throws Exception {
    init(0, PAIR + " --redis=b.example --tls");

    String role = text("r.example/etc/redis/replicaof");
    assertThat(role).endsWith("\nreplicaof no one\n");
    assertThat(text("b.example/etc/redis/replicaof"))
        .isEqualTo(role.replace("no one", "r.example 6380"));
    assertThat(text("b.example/etc/redis/duplog-options.conf"))
        .contains(
            "\nreplica-announce-ip b.example\n",
            "\nmasterauth " + text("passwords/replica") + "\n",
            "\ntls-replication yes\n");
    assertThat(text("b.example/etc/redis/users.acl"))
        .isEqualTo(text("r.example/etc/redis/users.acl"))
        .contains("\nuser replica reset on #" + sha256(text("passwords/replica")))
        .doesNotContain("_PASSWORD");
    for (String host : List.of("r.example", "b.example", "a.example")) {
      assertThat(text(host + "/etc/redis/duplog-sentinel.conf"))
          .contains(
              "\nsentinel monitor duplog r.example 6380 2\n",
              role.lines().findFirst().orElseThrow(),
              "\nsentinel announce-ip " + host + "\n",
              "\nsentinel auth-pass duplog " + text("passwords/sentinel") + "\n",
              "\ntls-port 26379\n");
      assertThat(text(host + "/etc/redis/sentinel-users.acl"))
          .contains("\nuser duplog reset on #" + sha256(text("passwords/redis")));
      assertThat(certificate(host + "/etc/redis/tls/redis.pem").getExtendedKeyUsage())
          .containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
    }
    RedisConfig redis = bridge("a.example").dedup().redis();
    assertThat(redis.user()).isEqualTo("duplog");
    assertThat(redis.tls()).isNotNull();
    assertThat(text("a.example/etc/duplog/duplog.yaml"))
        .contains("[\"r.example:26379\", \"b.example:26379\", \"a.example:26379\"]")
        .contains("\n      user: duplog\n", "\n      tls: {");
    assertThat(redis.sentinel()).isNotNull();

    init(0, PAIR.replace("--redis=r", "--redis=b.example --redis=r") + " --tls");
    assertThat(text("r.example/etc/redis/replicaof")).isEqualTo(role);
    assertThat(text("b.example/etc/redis/duplog-sentinel.conf"))
        .contains("\nsentinel monitor duplog r.example 6380 2\n");

    Files.delete(pair.resolve("passwords/sentinel"));
    init(0, PAIR + " --redis=b.example --tls");
    assertThat(text("r.example/etc/redis/replicaof")).isNotEqualTo(role);
  }

  @Test
  void sixRedisServers_areACluster_withSeveralQueues() throws Exception {
    String six =
        IntStream.rangeClosed(1, 6)
            .mapToObj(i -> " --redis=r%d.example".formatted(i))
            .collect(joining());
    init(0, "--node=a=a.example --node=b=b.example --queues=6" + six);

    assertThat(text("r3.example/etc/redis/duplog-options.conf"))
        .contains("\ncluster-enabled yes\n", "\ncluster-announce-hostname r3.example\n")
        .doesNotContain("\ntls");
    assertThat(text("r3.example/etc/redis/users.acl"))
        .contains("\nuser admin reset on #" + sha256(text("r1.example/redis/admin.password")));
    assertThat(files("r3.example"))
        .containsExactlyInAnyOrder(
            "install",
            "deployment",
            "etc/redis/duplog.conf",
            "etc/redis/duplog-options.conf",
            "etc/redis/users.acl");
    BridgeConfig bridge = bridge("a.example");
    assertThat(bridge.streams().get(1).queueCount()).isEqualTo(6);
    assertThat(bridge.dedup().redis().cluster()).isNotNull();
    assertThat(text("b.example/etc/duplog/duplog-ingest.yaml")).contains("\n  queue-count: 6\n");
    assertThat(text("a.example/rabbitmq/definitions.json"))
        .contains("\"max-length-bytes\": 1789569706,", "{\"max-length-bytes\": 10737418240,");
  }

  @Test
  void hec_isTheSink_withItsTokenAndCa() throws Exception {
    Files.writeString(folder.resolve("token"), "12345678-90ab\n");
    Files.writeString(folder.resolve("splunk.pem"), "a CA\n");
    init(
        0,
        "%s --hec=https://s1.example:8088 --hec=https://s2.example:8088 --hec-token=%s --hec-ca=%s"
            .formatted(PAIR, folder.resolve("token"), folder.resolve("splunk.pem")));

    assertThat(text("a.example/etc/duplog/duplog.yaml"))
        .contains("urls: [\"https://s1.example:8088\", \"https://s2.example:8088\"]")
        .contains("tls: {ca: /etc/duplog/splunk-ca.pem}");
    assertThat(text("a.example/etc/duplog/hec.token")).isEqualTo("12345678-90ab");
    assertThat(text("b.example/etc/duplog/splunk-ca.pem")).isEqualTo("a CA\n");
  }

  @Test
  void secondInit_keepsSecretsAndCertificates_andUsesNewPackages() throws Exception {
    init(0, PAIR + " --tls");
    Map<String, String> before = secrets();
    Files.delete(packages.resolve("duplog-ingest_1_all.deb"));
    Files.writeString(packages.resolve("duplog-ingest_2_all.deb"), "newer");
    init(0, PAIR + " --tls");

    assertThat(secrets()).isEqualTo(before);
    assertThat(files("a.example"))
        .contains("packages/duplog-ingest_2_all.deb")
        .doesNotContain("packages/duplog-ingest_1_all.deb");
  }

  /** Clients verify the name without the dot, so they reject a certificate with a dot. */
  @Test
  void certificate_forAHostNameWithATrailingDot_omitsTheDot() throws Exception {
    init(0, "--node=a=a.example. --node=b=b.example --redis=r.example. --tls");
    for (String file :
        List.of("a.example./etc/rabbitmq/tls/broker", "r.example./etc/redis/tls/redis")) {
      assertThat(certificate(file + ".pem").getSubjectAlternativeNames())
          .contains(List.of(2, file.substring(0, "a.example".length())));
    }
  }

  @Test
  void editedFile_isKept_andOtherFilesAreUpdated() throws Exception {
    init(0, PAIR);
    String unedited = text("a.example/etc/duplog/duplog.yaml");
    Files.writeString(pair.resolve("a.example/etc/duplog/duplog.yaml"), "# mine\n");
    Commands.Said changed = init(0, PAIR + " --tls");

    assertThat(changed.out())
        .containsOnlyOnce("kept ")
        .contains("kept a.example/etc/duplog/duplog.yaml, which was edited");
    assertThat(text("a.example/etc/duplog/duplog.yaml")).isEqualTo("# mine\n");
    assertThat(text("a.example/etc/duplog/duplog.yaml.new"))
        .isEqualTo(text("b.example/etc/duplog/duplog.yaml"))
        .isNotEqualTo(unedited);

    assertThat(init(0, PAIR).out()).contains("kept a.example/etc/duplog/duplog.yaml");
    assertThat(text("a.example/etc/duplog/duplog.yaml.new")).isEqualTo(unedited);
    Files.writeString(pair.resolve("a.example/etc/duplog/duplog.yaml"), unedited);
    assertThat(init(0, PAIR).out()).doesNotContain("kept");
  }

  @Test
  void obsoleteFile_isRemoved_orRenamedIfEdited() throws Exception {
    init(0, PAIR + " --tls");
    Files.writeString(pair.resolve("b.example/etc/duplog/duplog.yaml"), "# mine\n");
    Commands.Said moved = init(0, PAIR + " --bridge=c.example");

    assertThat(moved.out())
        .contains("removed a.example/etc/duplog/duplog.yaml, which no longer belongs here")
        .contains(
            "renamed b.example/etc/duplog/duplog.yaml, which no longer belongs here but was edited, to");
    assertThat(files("a.example"))
        .contains("etc/duplog/duplog-ingest.yaml")
        .doesNotContain("etc/duplog/redis.password", "etc/duplog/tls/client.key");
    assertThat(files("b.example"))
        .contains("etc/duplog/duplog.yaml~")
        .doesNotContain("etc/duplog/duplog.yaml");
    assertThat(files("ca")).contains("ca.key", "bridge-a.example.key");
  }

  @Test
  void failedInit_leavesNoFilesThatSeemEdited() throws Exception {
    init(1, PAIR + " --hec=https://s:8088 --hec-token=" + folder.resolve("none"));
    assertThat(pair).doesNotExist();

    init(0, PAIR + " --tls");
    Files.delete(pair.resolve("ca/ca.key"));
    assertThat(init(1, PAIR + " --tls --bulk=a").err())
        .contains("has only one of ca.key and ca.pem");
    Files.delete(pair.resolve("ca/ca.pem"));
    assertThat(init(0, PAIR + " --tls").out()).doesNotContain("kept");
    certificate("a.example/etc/rabbitmq/tls/broker.pem")
        .verify(certificate("a.example/etc/duplog/tls/ca.pem").getPublicKey());
  }

  @Test
  void removedHost_keepsItsUninstallScript_untilItsFolderIsDeleted() throws Exception {
    init(0, PAIR);
    String three = PAIR.replace("b.example", "c.example");
    String left = "b.example is no longer part of the deployment. install-all stops its programs";
    assertThat(init(0, three).out()).contains(left);
    assertThat(files("b.example")).containsExactlyInAnyOrder("install", "deployment");
    assertThat(pair.resolve("b.example/etc")).isDirectory();
    assertThat(init(0, three).out()).contains(left);

    MoreFiles.deleteRecursively(pair.resolve("b.example"), RecursiveDeleteOption.ALLOW_INSECURE);
    assertThat(init(0, three).out()).doesNotContain("has left");
    assertThat(pair.resolve("b.example")).doesNotExist();
  }

  @Test
  void eachDeployment_hasAPermanentUniqueMark() throws Exception {
    init(0, PAIR);
    String mark = text("a.example/deployment");
    assertThat(mark).hasSize(48).isEqualTo(text("r.example/deployment"));
    init(0, PAIR + " --tls");
    assertThat(text("a.example/deployment")).isEqualTo(mark);

    pair = folder.resolve("staging");
    init(0, PAIR);
    assertThat(text("a.example/deployment")).isNotEqualTo(mark);
  }

  /** Sentinels remember each other and their replicas until they are reset. */
  @Test
  void movedRedis_isNamed_withTheCommandToResetSentinels() throws Exception {
    String one = " --redis=b.example --sentinel=r.example --sentinel=b.example --sentinel=";
    assertThat(init(0, PAIR + one + "a.example").out()).doesNotContain("sentinel reset");

    assertThat(init(0, PAIR + one.replace("--redis=b", "--redis=d") + "c.example").out())
        .contains(
            "Redis or a sentinel was removed from a.example, but the other sentinels still count it")
        .contains("(r.example, b.example, c.example): redis-cli", "sentinel reset duplog");
  }

  @Test
  void durableQueue_isSetForTheNamedNodes_andCanBeRemoved() throws Exception {
    String script = "rsyslog/durable-queue.sed";
    init(0, PAIR + " --durable-queue=b --bulk=b");
    assertThat(files("b.example")).contains(script);
    assertThat(files("a.example")).doesNotContain(script);

    init(0, PAIR + " --bulk=b");
    assertThat(files("b.example")).doesNotContain(script);
  }

  @Test
  void emptyPassword_isRefused() throws Exception {
    init(0, PAIR);
    Files.writeString(pair.resolve("passwords/redis"), "");

    assertThat(init(1, PAIR).err()).contains("passwords/redis has fewer than 16 characters");
  }

  @Test
  void writtenFiles_areReadableByTheOwnerOnly() throws Exception {
    init(0, PAIR + " --tls --bulk=a");

    for (String key : Iterables.filter(files(""), InitCommandTest::isSecret)) {
      assertThat(Files.getPosixFilePermissions(pair.resolve(key)))
          .as("%s", key)
          .containsOnly(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }
    assertThat(Files.getPosixFilePermissions(pair))
        .containsOnly(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE);
  }

  @Test
  void tls_givesServersNamedCertificates_andBridgesClientCertificates() throws Exception {
    init(0, PAIR + " --tls");

    X509Certificate ca = certificate("ca/ca.pem");
    X509Certificate broker = certificate("b.example/etc/rabbitmq/tls/broker.pem");
    X509Certificate client = certificate("b.example/etc/duplog/tls/client.pem");
    broker.verify(ca.getPublicKey());
    client.verify(ca.getPublicKey());
    assertThat(broker.getSubjectAlternativeNames().toString()).contains("b.example");
    assertThat(broker.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(client.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    assertThat(ca.getBasicConstraints()).isNotNegative();
    assertThat(broker.getBasicConstraints()).isNegative();
    BridgeConfig bridge = bridge("a.example");
    assertThat(bridge.streams().get(0).port()).isEqualTo(5671);
    assertThat(bridge.streams().get(0).tls()).isNotNull();
    assertThat(bridge.dedup().redis().tls()).isNotNull();
    assertThat(text("a.example/etc/rabbitmq/conf.d/60-duplog.conf"))
        .contains("\nlisteners.ssl.default = 5671\n")
        .doesNotContain("\nlisteners.tcp.default = 5672\n");
    assertThat(text("r.example/etc/redis/duplog-options.conf"))
        .contains("\nport 0\n", "\ntls-port 6380\n");
  }

  @Test
  void ca_issuesAnotherCertificate_asInTheGuide() throws Exception {
    init(0, PAIR + " --tls");
    ProcessBuilder commands =
        new ProcessBuilder("sh", "-ec", Deployed.commands("tls.md", "page")).inheritIO();
    commands.environment().put("HOME", folder.toString());

    assertThat(commands.start().waitFor()).isZero();
    X509Certificate page = certificate("ca/page.pem");
    page.verify(certificate("ca/ca.pem").getPublicKey());
    assertThat(page.getSubjectAlternativeNames().toString()).contains("bridge-1.example.net");
  }

  @Test
  void options_canBeReadFromAFile() throws Exception {
    Path options = Files.writeString(folder.resolve("options"), PAIR.replace(' ', '\n'));
    init(0, "@" + options);

    assertThat(files("r.example")).isNotEmpty();
  }

  @Test
  void initWithoutOptions_asksQuestions() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "1234");
    Iterator<String> answers =
        List.of("a=a.example", "b=b.example", "", "r.example", "https://s:8088", "" + token, "y")
            .iterator();
    InitCommand init = new InitCommand();
    init.askForDeployment(question -> answers.next());
    CommandLine asked = new CommandLine(init);
    Commands.run(asked, 0, null, pair.toString(), "--packages=" + packages);

    assertThat(answers).isExhausted();
    assertThat(bridge("b.example").streamNames()).isEqualTo("a, b");
    assertThat(bridge("b.example").streams().get(0).tls()).isNotNull();
    assertThat(text("a.example/etc/duplog/hec.token")).isEqualTo("1234");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --node=a=a.example --redis=r                           | needs 2 to 8 nodes
          --node=a=a.example --node=b=a.example --redis=r        | same host
          --node=a=a.example --node=b=../b --redis=r             | is no name of a host
          --node=a=a.example --node=a=b.example --redis=r        | two nodes have the stream 'a
          --node=a=a.example --node=b --redis=r                  | is no STREAM=HOST
          --node=a=a.example --node=b=ca --redis=r               | is no name of a host
          --node=a=a.e --node=b=b.e --redis=r --bulk=c           | no node has the stream 'c
          --node=a=a.e --node=b=b.e --redis=r --durable-queue=c  | no node has the stream 'c
          --node=a=a.example --node=B=b.example --redis=r        | is no name of a stream: it must be lower-case
          --node=a=a.example --node=b=b.example                  | give --redis once
          --node=a=a.e --node=b=b.e --redis=r; --redis=b.e       | is no name of a host
          --node=a=a.e --node=b=b.e --redis=r --redis=r          | same host
          --node=a=a.e --node=b=b.e --redis=r --redis=s --redis=t | give --redis once, twice
          --node=a=a.e --node=b=b.e --redis=a.e --redis=b.e      | name them with --sentinel
          --node=a=a.e --node=b=b.e --redis=r --sentinel=a.e     | --sentinel needs two
          --node=a=a.e --node=b=b.e --redis=r --queues=65        | from 1 to 64
          --node=a=a.e --node=b=b.e --redis=1 --redis=2 --redis=3 --redis=4 --redis=5 --redis=6 | needs --queues 3
          --node=a=a.e --node=b=b.e --redis=1::1 --redis=2 --redis=3 --redis=4 --redis=5 --redis=6 | need names
          --node=a=a.e --node=b=b.e --redis=r --hec=http://s     | go together
          --node=a=a.e --node=b=b.e --redis=r --hec-token=t      | go together
          --node=a=a.e --node=b=b.e --redis=r --hec=s --hec-token=t | is no URL of HEC
          --node=a=a.e --node=b=b.e --redis=r --hec=https://h:65536 --hec-token=t | is no URL of HEC: a port is a number from 1 to 65535
          --node=a=a.e --node=b=b.e --redis=r --hec=https://h_1 --hec-token=t | URLs and TLS allow no '_'
          --node=a=a.e:5672 --node=b=b.e --redis=r               | is no name of a host: leave out the port
          --node=a=a.e --node=b=10.0.0.256 --redis=r             | is no name of a host: it is no IPv4 address
          --node=a=a.e --node=b=b..e --redis=r                   | is no name of a host: a name has 1 to 63
          """)
  void wrongOption_isNamed(String options, String problem) {
    assertThat(init(2, options).err()).contains(problem);
    assertThat(pair).doesNotExist();
  }

  @Test
  void missingPackage_isNamed() throws IOException {
    Files.delete(packages.resolve("duplog-bridge_1_all.deb"));

    assertThat(init(1, PAIR).err()).contains("no duplog-bridge*.deb or .rpm in " + packages);
  }

  private List<String> files(String host) {
    Path root = pair.resolve(host);
    return Streams.stream(MoreFiles.fileTraverser().breadthFirst(root))
        .filter(Files::isRegularFile)
        .map(file -> root.relativize(file).toString())
        .toList();
  }

  private static boolean isSecret(String file) {
    return file.endsWith("password") || file.endsWith(".key") || file.startsWith("passwords/");
  }

  private Map<String, String> secrets() throws IOException {
    Map<String, String> secrets = new HashMap<>();
    for (String file : files("")) {
      if (isSecret(file) || file.endsWith(".pem")) {
        secrets.put(file, text(file));
      }
    }
    return secrets;
  }

  private X509Certificate certificate(String file) throws Exception {
    try (InputStream in = Files.newInputStream(pair.resolve(file))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static String sha256(String text) {
    return Hashing.sha256().hashString(text, StandardCharsets.US_ASCII).toString();
  }
}
