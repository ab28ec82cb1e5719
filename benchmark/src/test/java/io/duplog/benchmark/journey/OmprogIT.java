package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.Syslog;
import io.duplog.benchmark.lab.Tuning;
import io.duplog.rig.LogTail;
import io.duplog.rig.Server;
import io.duplog.rig.Signal;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that no message is lost between a real rsyslog, the shim and RabbitMQ when any of them is
 * restarted or killed.
 */
class OmprogIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final int MESSAGES = 3_000;
  private static final String HEADER = "<13>Nov 21 05:00:00 host app: ";

  /** Interval {@code queue.checkpointInterval} of the deployed files. */
  private static final int CHECKPOINT_MESSAGES = 128;

  /** Number of a transaction's messages that the shim has answered when it is killed. */
  private static final int DEFERRED_MESSAGES = 100;

  private static final int KILLS = 5;

  /** Begins the parameter of rsyslog's action that contains the shim's command. */
  private static final String BINARY_PARAMETER = "binary=\"";

  /** Offset in a shim's file of the number of stored batch bytes. */
  private static final int STORED_BYTES_OFFSET = 24;

  private static @TempDir Path root;

  /** Labs by their mode. The tests of a mode share a lab, and identify their messages by a tag. */
  private static final Map<LabPlan.Ingest, Lab> LABS = new EnumMap<>(LabPlan.Ingest.class);

  /** Batches by their ids. A bridge ignores a batch with a known id. */
  private final Map<String, MessageBatch> batchesById = new LinkedHashMap<>();

  private Lab lab;
  private IngestNode node;

  /** Uses an ingest node whose batches only the tests read. */
  private void useLab(LabPlan.Ingest mode) throws Exception {
    lab = LABS.get(mode);
    boolean isNew = lab == null;
    if (isNew) {
      lab =
          new Lab(
              LabPlan.single(root.resolve(mode.name()), LabJars.ofThisBuild())
                  .withIngest(mode)
                  .withTuning(Tuning.NONE.withShim("omprog.patience", "2s")));
      LABS.put(mode, lab);
      lab.start(line -> {});
      stop(lab.bridges().get(0).server());
    }
    node = lab.nodes().get(0);
    if (isNew && mode == LabPlan.Ingest.RSYSLOG) {
      // Rsyslog must not give up a shim that is slow on a busy machine.
      String timeout = "confirmTimeout=\"%d\"";
      restartRsyslogWith(timeout.formatted(30_000), timeout.formatted(TIMEOUT.toMillis()));
    }
  }

  @AfterAll
  static void close() {
    LABS.values().forEach(Lab::close);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"STDIN", "HEC"})
  void send_eachMode_arriveOnceInOrderInFewerBatches(LabPlan.Ingest mode) throws Exception {
    useLab(mode);
    List<String> sent = send("plain");

    await().until(() -> take("plain").size() >= MESSAGES);
    assertThat(take("plain")).as(logEnds()).isEqualTo(sent);
    // The number of messages per batch depends on rsyslog: the busier it is, the more.
    assertThat(batchesById.size()).isLessThan(MESSAGES);

    List<String> empty = List.of("<13>", "<13>");
    Syslog.sendLines(node.rsyslog(), empty);
    await().until(() -> Collections.frequency(takeAll(), "<13>") >= empty.size());
    assertThat(takeAll()).filteredOn("<13>"::equals).isEqualTo(empty);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"STDIN", "HEC"})
  void broker_killedUnderLoad_hasEveryMessageOnceByBatchId(LabPlan.Ingest mode) throws Exception {
    useLab(mode);
    List<String> sent = new ArrayList<>(send("killed, before"));
    await().until(() -> !take("killed").isEmpty());
    node.queue().close();
    node.broker().server().kill();
    sent.addAll(send("killed, while away"));
    restart(node.broker().server());
    sent.addAll(send("killed, after"));

    await().until(() -> take("killed").size() >= sent.size());
    assertThat(toMultiset(take("killed"))).as(logEnds()).isEqualTo(toMultiset(sent));
  }

  @Test
  void rsyslog_restartedUnderLoad_losesNothing() throws Exception {
    useLab(LabPlan.Ingest.RSYSLOG);
    List<String> sent = send("restarted");
    await().until(() -> !take("restarted").isEmpty());
    stop(node.rsyslog().server());
    restart(node.rsyslog().server());

    await().until(() -> toMultiset(take("restarted")).containsAll(sent));
  }

  /** Rsyslog's queue on disk restarts at its last checkpoint. */
  @Test
  void rsyslog_killedAfterQueueOnDisk_repeatsMessagesSinceLastCheckpoint() throws Exception {
    useLab(LabPlan.Ingest.RSYSLOG);
    int transaction = 100;
    String batchSize = "queue.dequeueBatchSize=\"%d\"";
    String watermarks = "queue.highWatermark=\"%d\" queue.lowWatermark=\"%d\"";
    restartRsyslogWith(batchSize.formatted(1_024), batchSize.formatted(transaction));
    restartRsyslogWith(watermarks.formatted(20_000, 10_000), watermarks.formatted(200, 100));
    node.queue().close();
    stop(node.broker().server());
    List<String> sent = new ArrayList<>(send("disk, before"));
    Path onDisk = root.resolve("RSYSLOG/syslog-a/rsyslog/queue/duplog.00000001");
    await().until(() -> Files.exists(onDisk));
    restart(node.broker().server());
    await().until(() -> take("disk").size() >= sent.size());
    node.rsyslog().server().kill();
    restart(node.rsyslog().server());
    sent.addAll(send("disk, after"));
    await().until(() -> toMultiset(take("disk")).containsAll(sent));

    int duplicates = take("disk").size() - sent.size();
    assertThat(duplicates).as(logEnds()).isLessThanOrEqualTo(CHECKPOINT_MESSAGES + transaction);
    restartRsyslogWith(watermarks.formatted(200, 100), watermarks.formatted(20_000, 10_000));
    restartRsyslogWith(batchSize.formatted(transaction), batchSize.formatted(1_024));
  }

  @Test
  void listeningShim_restartedUnderLoad_losesAndDuplicatesNothing() throws Exception {
    useLab(LabPlan.Ingest.RSYSLOG_BULK);
    Server shim = Objects.requireNonNull(node.shim().listeningServer());
    List<String> sent = new ArrayList<>(send("listening, first"));
    stop(shim);
    restart(shim);
    sent.addAll(send("listening, second"));
    await().until(() -> take("listening").size() >= sent.size());
    assertThat(toMultiset(take("listening"))).as(logEnds()).isEqualTo(toMultiset(sent));
  }

  /**
   * The broker is frozen. So each shim is killed after it has published, but before it has
   * answered.
   */
  @ParameterizedTest
  @EnumSource(names = {"RSYSLOG", "RSYSLOG_BULK"})
  void shim_killedBeforeAnswer_successorRepublishesWithoutDuplicates(LabPlan.Ingest mode)
      throws Exception {
    useLab(mode);
    List<String> sent = new ArrayList<>(send("killed over, before"));
    await().until(() -> toMultiset(take("killed over")).containsAll(sent));
    List<Integer> duplicatesByKill = new ArrayList<>();
    for (int i = 0; i < KILLS; i++) {
      // Before that, a dead shim's file may hold batches, or the living shim is about to answer.
      await().until(() -> !hasPublished(mode));
      node.queue().close();
      node.broker().server().signal(Signal.STOP);
      sent.addAll(send("killed over, " + i));
      await().until(() -> hasPublished(mode));
      Server listening = node.shim().listeningServer();
      if (listening == null) {
        Signal.KILL.send(node.rsyslog().shims());
        node.broker().server().signal(Signal.CONT);
      } else {
        listening.kill();
        node.broker().server().signal(Signal.CONT);
        restart(listening);
      }
      await().until(() -> toMultiset(take("killed over")).containsAll(sent));
      duplicatesByKill.add(take("killed over").size() - sent.size());
    }

    assertThat(duplicatesByKill).as("duplicates after each kill: %s", logEnds()).containsOnly(0);
  }

  /** Whether a shim's file has batches that it has not yet confirmed to rsyslog. */
  private static boolean hasPublished(LabPlan.Ingest mode) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(mode.name()).resolve("tmp"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".transaction")).toList()) {
        if (ByteBuffer.wrap(Files.readAllBytes(file)).getLong(STORED_BYTES_OFFSET) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Rsyslog would forget the messages that a program had deferred when it dies, because it gives
   * the next message to a new process.
   */
  @Test
  void shim_killedInMidTransaction_losesAndDuplicatesNothing() throws Exception {
    useLab(LabPlan.Ingest.RSYSLOG);
    Path deferred = root.resolve("deferred");
    Path front = startFrontProgram(deferred);
    List<String> sent = new ArrayList<>(send("shim, first"));
    await().until(() -> Files.exists(deferred));
    Signal.KILL.send(
        node.rsyslog().shims().stream()
            .flatMap(shim -> Stream.concat(Stream.of(shim), shim.descendants()))
            .toList());
    List<String> last = send("shim, last");
    sent.addAll(last);

    assertThat(Files.readAllLines(deferred)).hasSize(DEFERRED_MESSAGES);
    await().until(() -> take("shim").size() >= sent.size());
    assertThat(toMultiset(take("shim"))).as(logEnds()).isEqualTo(toMultiset(sent));
    restartRsyslogWith(BINARY_PARAMETER + frontCommand(front), BINARY_PARAMETER);
  }

  /**
   * Restarts rsyslog with a program in front of the shim, which forwards the output of both. When a
   * transaction has more messages than the number to defer, the program writes the deferred ones
   * into a file, and stops once. A shim after this program can't recognise its rsyslog.
   */
  private Path startFrontProgram(Path deferred) throws Exception {
    Path front =
        Files.writeString(
            root.resolve("front"),
            """
            coproc "$@"
            while IFS= read -r answer <&"${COPROC[0]}" && echo "$answer" && IFS= read -r line; do
              case $line in
                'BEGIN TRANSACTION') given=() ;;
                'COMMIT TRANSACTION') ;;
                *)
                  if [ ${#given[@]} = %1$d ] && [ ! -e %2$s ]; then
                    printf '%%s\n' "${given[@]#* }" >%2$s.new
                    mv %2$s.new %2$s
                    kill -STOP $$
                  fi
                  given+=("$line")
              esac
              printf '%%s\n' "$line" >&"${COPROC[1]}"
            done
            """
                .formatted(DEFERRED_MESSAGES, deferred));
    restartRsyslogWith(BINARY_PARAMETER, BINARY_PARAMETER + frontCommand(front));
    return front;
  }

  private static String frontCommand(Path script) {
    return "/bin/bash " + script + " ";
  }

  private void restartRsyslogWith(String text, String replacement) throws Exception {
    stop(node.rsyslog().server());
    Path configuration = root.resolve("RSYSLOG/syslog-a/rsyslog/rsyslog.conf");
    String oldConfiguration = Files.readString(configuration);
    assertThat(oldConfiguration).contains(text);
    Files.writeString(configuration, oldConfiguration.replace(text, replacement));
    restart(node.rsyslog().server());
  }

  private static void stop(Server server) {
    server.requestStop();
    assertThat(server.awaitStop(TIMEOUT)).as("%s ends by itself", server.name()).isTrue();
  }

  private static void restart(Server server) throws Exception {
    server.start();
    server.awaitReady(TIMEOUT);
  }

  /** Returns the messages so far that were sent with this tag. */
  private List<String> take(String tag) throws IOException {
    return takeAll().stream().filter(message -> message.startsWith(HEADER + tag)).toList();
  }

  private List<String> takeAll() throws IOException {
    batchesById.putAll(node.queue().take(Topology.DEFAULT_QUEUE));
    List<String> messages = new ArrayList<>();
    for (MessageBatch batch : batchesById.values()) {
      for (int i = 0; i < batch.count(); i++) {
        int start = batch.textStart(i);
        messages.add(new String(batch.data(), start, batch.end(i) - start, ISO_8859_1));
      }
    }
    return messages;
  }

  private static Multiset<String> toMultiset(List<String> messages) {
    return ImmutableMultiset.copyOf(messages);
  }

  private List<String> send(String tag) throws IOException {
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      messages.add("%s%s %05d".formatted(HEADER, tag, i));
    }
    Syslog.sendLines(node.rsyslog(), messages);
    return messages;
  }

  /** Returns the last log lines of rsyslog, shim and bridge. */
  private String logEnds() {
    return String.join("\n", lab.programLogs().stream().map(LogTail::of).toList());
  }
}
