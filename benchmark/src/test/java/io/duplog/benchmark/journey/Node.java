package io.duplog.benchmark.journey;

import io.duplog.benchmark.lab.LabJars;
import io.duplog.parts.Deployed;
import io.duplog.parts.RabbitMq;
import io.duplog.parts.Rsyslog;
import io.duplog.rig.LabException;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * An ingest node as {@code deploy} configures it: rsyslog with 60-duplog.conf, the shim that it
 * starts, no longer as root, and a broker of its own.
 */
final class Node implements AutoCloseable {
  /** How rsyslog and the shim talk, and so what rsyslog's action has to say. */
  enum Mode {
    CONFIRM(AS_DEPLOYED),
    TRANSACTIONS("useTransactions=\"on\" confirmMessages=\"off\""),
    LINES("useTransactions=\"off\" confirmMessages=\"off\"");

    private final String parameters;

    Mode(String parameters) {
      this.parameters = parameters;
    }
  }

  /** What the sender wrote: nothing that a receiver adds, but for the address it came from. */
  static final String WHOLE_MESSAGE = "rawmsg";

  /** The same without the priority, so that a message can be empty. */
  static final String WITHOUT_PRIORITY = "rawmsg-after-pri";

  /** How long a COMMIT waits for the broker before it fails. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** Most messages of a transaction. */
  static final int TRANSACTION = 256;

  private static final String AS_DEPLOYED =
      "useTransactions=\"on\" confirmMessages=\"on\" killUnresponsive=\"on\"";
  private static final String JAR = "/usr/share/duplog-ingest/duplog-ingest.jar";
  private static final String WRAPPER = "/usr/bin/duplog-ingest";
  private static final String SHIM_LOG = "/var/log/duplog-ingest.log";
  private static final String RSYSLOG_LOG = "/tmp/rsyslog.log";

  private final String stream;
  private final RabbitMq broker;
  private final Rsyslog rsyslog;

  /** How many share the stream's messages. */
  private int queues = 1;

  private Node(String stream, RabbitMq broker, Rsyslog rsyslog) {
    this.stream = stream;
    this.broker = broker;
    this.rsyslog = rsyslog;
  }

  /** A node whose broker runs and whose rsyslog does not yet. */
  static Node withBroker(String stream) throws LabException {
    LabJars jars = LabJars.ofThisBuild();
    Rsyslog rsyslog = Rsyslog.idle();
    rsyslog.run("useradd", "--system", "--user-group", "duplog-ingest");
    rsyslog.run("mkdir", "-p", "/usr/share/duplog-ingest", "/etc/duplog");
    rsyslog.copyIn(jars.shim(), JAR);
    rsyslog.copyIn(Deployed.path("debian/ingest/files/duplog-ingest"), WRAPPER);
    rsyslog.run("chmod", "755", WRAPPER);
    return new Node(stream, RabbitMq.started(rsyslog.gateway()), rsyslog);
  }

  String stream() {
    return stream;
  }

  RabbitMq broker() {
    return broker;
  }

  Rsyslog rsyslog() {
    return rsyslog;
  }

  /** Starts rsyslog, which starts the shim at the first message. */
  void start(Mode mode, String property) {
    rsyslog.run("rm", "-f", SHIM_LOG, RSYSLOG_LOG);
    configureShim(mode);
    rsyslog.startAsDeployed(
        """
        if $inputname == "rsyslogd" then {
          action(type="omfile" file="%s")
          stop
        }
        """
                .formatted(RSYSLOG_LOG)
            + deployed(mode, property));
  }

  private void configureShim(Mode mode) {
    rsyslog.write(
        "/etc/duplog/duplog-ingest.yaml",
        """
        stream: %s
        broker: {host: %s, port: %d, user: %s, password: %s, queue-count: %d}
        omprog: {mode: %s, patience: %ds}
        """
            .formatted(
                stream,
                rsyslog.gateway(),
                broker.port(),
                RabbitMq.INGEST_USER,
                RabbitMq.INGEST_PASSWORD,
                queues,
                mode.name().toLowerCase(Locale.ROOT),
                PATIENCE.toSeconds()));
  }

  /**
   * Starts rsyslog again, whose shim then spreads the messages over so many queues.
   *
   * @param mode as before
   */
  void spread(int number, Mode mode) {
    rsyslog.stop();
    queues = number;
    configureShim(mode);
    rsyslog.start();
  }

  /** Whether a batch waits in each of the queues. Nothing is taken. */
  boolean holdsBatchesInEachQueue() throws IOException {
    return BatchQueue.allHoldBatches(broker, queueNames());
  }

  private List<String> queueNames() {
    return Topology.queues(Topology.DEFAULT_QUEUE, queues);
  }

  /** The file that an operator installs, but for what the test varies. */
  private static String deployed(Mode mode, String property) {
    String text = Deployed.text("rsyslog/60-duplog.conf");
    text = replace(text, AS_DEPLOYED, mode.parameters);
    text = replace(text, "%" + WHOLE_MESSAGE + "%", "%" + property + "%");
    return replace(
        text,
        "queue.dequeueBatchSize=\"1024\"",
        "queue.dequeueBatchSize=\"%d\"".formatted(TRANSACTION));
  }

  private static String replace(String text, String old, String replacement) {
    if (text.indexOf(old) < 0 || text.indexOf(old) != text.lastIndexOf(old)) {
      throw new IllegalStateException("60-duplog.conf has not exactly one " + old);
    }
    return text.replace(old, replacement);
  }

  /** Messages that no bridge has settled yet, as far as the broker has them. */
  long unsettled() {
    return broker.depth(queueNames());
  }

  /** Kills the shim that runs now. rsyslog starts another. */
  void killShim() {
    rsyslog.run("sh", "-c", "kill -KILL $(pgrep -f %s)".formatted(JAR.replace("/", "[/]")));
  }

  /** The most memory that a shim of this node had resident, in KiB. */
  long shimPeakKibibytes() {
    String peaks =
        rsyslog.run(
            "sh",
            "-c",
            "for p in $(pgrep -f %s); do awk '/^VmHWM:/ {print $2}' /proc/$p/status; done"
                .formatted(JAR.replace("/", "[/]")));
    return peaks.lines().mapToLong(Long::parseLong).max().orElseThrow();
  }

  /** What the shim said since {@link #start}. */
  String shimLog() {
    return logged(SHIM_LOG);
  }

  /** What rsyslog said of itself since {@link #start}. */
  String rsyslogLog() {
    return logged(RSYSLOG_LOG);
  }

  private String logged(String path) {
    return rsyslog.run("sh", "-c", "cat %s 2>/dev/null || true".formatted(path));
  }

  @Override
  public void close() {
    rsyslog.close();
    broker.close();
  }
}
