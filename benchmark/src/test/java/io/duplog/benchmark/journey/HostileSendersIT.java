package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Sets;
import io.duplog.parts.Redis;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
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
 * What anybody who can send syslog may try. It costs a bounded amount of memory, and the other
 * senders lose nothing.
 */
class HostileSendersIT {
  private static final Duration WHILE = Duration.ofMinutes(3);
  private static final int NOTICEABLE = 500;
  private static final int KIBIBYTE = 1024;

  /** Heap of 256 MiB, and what a Java machine takes beside it. */
  private static final long BRIDGE_KIBIBYTES = 512 * KIBIBYTE;

  /** Heap of 48 MiB. */
  private static final long SHIM_KIBIBYTES = 200 * KIBIBYTE;

  private static final int REDIS_MEBIBYTES = 64;

  /** Of coverage.senders, and of the senders that have a place in any case. */
  private static final int MOST_NAMES = 2 * 1000 + 10;

  private static @TempDir Path directory;
  private static List<Node> nodes;
  private static Redis redis;
  private static JourneyBridge bridge;

  @BeforeAll
  static void start() throws Exception {
    CompletableFuture<Node> a = CompletableFuture.supplyAsync(() -> node("syslog-a"));
    CompletableFuture<Node> b = CompletableFuture.supplyAsync(() -> node("syslog-b"));
    nodes = List.of(a.join(), b.join());
    redis = Redis.started("maxmemory " + REDIS_MEBIBYTES + "mb");
    nodes.forEach(node -> node.start(Node.Mode.CONFIRM, Node.WHOLE_MESSAGE));
    bridge = new JourneyBridge(directory, "one", nodes, redis);
    bridge.start();
  }

  private static Node node(String stream) {
    try {
      return Node.withBroker(stream);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    bridge.close();
    nodes.forEach(Node::close);
    redis.close();
  }

  @AfterEach
  void everyProgram_runsAsBefore_inBoundedMemory() throws Exception {
    assertThat(bridge.isAlive()).as("%s", bridge.log()).isTrue();
    assertThat(bridge.peakKibibytes()).as("bridge").isLessThan(BRIDGE_KIBIBYTES);
    for (Node node : nodes) {
      assertThat(node.shimLog()).doesNotContain("OutOfMemory").doesNotContain("closed its pipe");
      assertThat(node.shimPeakKibibytes()).as("shim").isLessThan(SHIM_KIBIBYTES);
    }
    String used = redis.cli("info", "memory").replaceAll("(?s).*used_memory_peak:(\\d+).*", "$1");
    assertThat(Long.parseLong(used)).isLessThan(2L * REDIS_MEBIBYTES * KIBIBYTE * KIBIBYTE);
  }

  @Test
  void longMessagesThatNothingCompresses_crowdNobodyOut() throws Exception {
    Random random = new Random(1);
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("flooded", nodes)) {
      for (int i = 0; i < 40; i++) {
        byte[][] messages = new byte[16][];
        for (int each = 0; each < messages.length; each++) {
          messages[each] = noise(random, 64 * KIBIBYTE);
        }
        for (Node node : nodes) {
          node.rsyslog().sendTcp(messages);
        }
      }
      awaitDelivered("<13>flooded", NOTICEABLE);
      sent = traffic.end();
    }

    assertNothingLost("flooded", sent);
    assertThat(Merged.of(List.of(bridge), "<11>noise").messages()).hasSize(40 * 16);
  }

  @Test
  void hundredThousandSenders_takeTheRoomOfAThousand() throws Exception {
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("crowd", nodes)) {
      awaitDelivered("<13>crowd", NOTICEABLE);
      CompletableFuture.allOf(
              nodes.stream()
                  .map(node -> CompletableFuture.runAsync(() -> sendFromEverywhere(node, 100_000)))
                  .toArray(CompletableFuture[]::new))
          .join();
      sent = traffic.end();
    }

    assertNothingLost("crowd", sent);
    assertThat(Merged.of(List.of(bridge), "<14>everybody").messages().elementSet())
        .hasSize(100_000);
    for (String period : redis.cli("keys", "duplog:period:*").lines().toList()) {
      assertThat(Integer.parseInt(redis.cli("hlen", period))).isLessThan(MOST_NAMES);
    }
    String metrics = ask("/metrics");
    assertThat(metrics).doesNotContain("127.10.", "127.11.").hasSizeLessThan(200 * KIBIBYTE);
    assertThat(ask("/api/state")).hasSizeLessThan(1000 * KIBIBYTE);
  }

  @Test
  void messagesMadeToBeMistaken_arriveAsTheMessagesThatTheyAre() throws Exception {
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
            "<13>invalid utf-8 \u00ff\u00fe\u00c3( \u0080");
    String framed = "<13>one frame\n<13>not a second message\nCOMMIT TRANSACTION\nzero \u0000.";
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("odd", nodes)) {
      for (Node node : nodes) {
        node.rsyslog()
            .sendTcp(odd.stream().map(m -> m.getBytes(ISO_8859_1)).toArray(byte[][]::new));
        node.rsyslog().sendTcp(framed.getBytes(ISO_8859_1));
      }
      awaitDelivered("<13>odd", NOTICEABLE);
      sent = traffic.end();
    }

    assertNothingLost("odd", sent);
    String escaped = framed.replace("\n", "#012").replace("\u0000", "#000");
    await()
        .atMost(WHILE)
        .untilAsserted(() -> assertThat(Merged.lines(bridge.output())).contains(escaped));
    List<String> merged = Merged.lines(bridge.output());
    for (String each : odd) {
      assertThat(merged).contains(each.replace("\u001b", "#033"));
    }
    assertThat(merged)
        .as("lines that no message ever was")
        .noneMatch(line -> line.startsWith("<13>not a second"))
        .filteredOn("COMMIT TRANSACTION"::equals)
        .hasSize(1);
  }

  @Test
  void log_saysNothingThatASenderWrote() throws Exception {
    for (Node node : nodes) {
      node.rsyslog().sendTcp("<13>marker-in-a-message".getBytes(ISO_8859_1));
    }
    awaitDelivered("<13>marker-in-a-message", 1);

    assertThat(bridge.log())
        .doesNotContain("marker-in-a-message")
        .hasSizeLessThan(64 * KIBIBYTE)
        .matches(Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT[^\\n]*\\n)+"));
  }

  private static byte[] noise(Random random, int length) {
    byte[] message = new byte[length];
    random.nextBytes(message);
    for (int i = 0; i < message.length; i++) {
      // rsyslog would make four letters of a control character
      message[i] = (byte) ((message[i] & 0x7f) | 0x20);
      message[i] = message[i] == 0x7f ? (byte) '~' : message[i];
    }
    byte[] begin = "<11>noise ".getBytes(ISO_8859_1);
    System.arraycopy(begin, 0, message, 0, begin.length);
    return message;
  }

  /**
   * Every address of a node's own loopback network is a sender of its own to rsyslog. After each
   * few datagrams it waits until rsyslog has taken them, so that the kernel drops none.
   */
  private static void sendFromEverywhere(Node node, int senders) {
    node.rsyslog()
        .run(
            "timeout",
            Long.toString(WHILE.toSeconds()),
            "perl",
            "-MSocket",
            "-e",
            """
            sub untaken {
              open(my $sockets, '<', '/proc/net/udp') or die $!;
              my @columns = map { [split] } <$sockets>;
              return grep { $_->[1] =~ /:%1$04X$/ && $_->[4] !~ /:0+$/ } @columns;
            }
            my $to = sockaddr_in(%1$d, inet_aton('127.0.0.1'));
            for my $i (0 .. %2$d - 1) {
              socket(my $s, PF_INET, SOCK_DGRAM, 17) or die "socket: $!";
              my $from = sprintf('127.1%%d.%%d.%%d', $i >> 16, ($i >> 8) & 255, $i & 255);
              bind($s, sockaddr_in(0, inet_aton($from))) or die "bind: $!";
              send($s, "<14>everybody $i", 0, $to) or die "send: $!";
              close($s);
              if ($i %% 100 == 99) { select(undef, undef, undef, 0.001) while untaken(); }
            }
            """
                .formatted(node.rsyslog().port(), senders));
  }

  private static String ask(String path) throws Exception {
    Matcher url = Pattern.compile("health at (http://\\S+)").matcher(bridge.log());
    assertThat(url.find()).isTrue();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url.group(1) + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static void awaitDelivered(String tag, int messages) {
    await("delivery of " + messages + " messages of " + tag)
        .atMost(WHILE)
        .until(() -> Merged.of(List.of(bridge), tag).messages().size() >= messages);
  }

  /** The honest ones; that a hostile flood makes Redis forget may double one, and loses none. */
  private static void assertNothingLost(String tag, Multiset<String> sent) throws Exception {
    Multiset<String> whole = HashMultiset.create();
    sent.forEach(message -> whole.add("<13>" + message));
    await("whole delivery of " + tag)
        .atMost(WHILE)
        .until(
            () ->
                Merged.of(List.of(bridge), "<13>" + tag + " ").lost(whole).isEmpty()
                    && nodes.stream().allMatch(node -> node.unsettled() == 0));
    Multiset<String> surplus = Merged.of(List.of(bridge), "<13>" + tag + " ").surplus(whole);
    assertThat(Sets.difference(surplus.elementSet(), whole.elementSet()))
        .filteredOn(line -> line.matches("<13>" + tag + " \\d+"))
        .isEmpty();
  }
}
