package io.duplog.benchmark.journey;

import io.duplog.benchmark.lab.LabException;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.parts.RabbitMq;
import io.duplog.parts.Rsyslog;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.Locale;

/** An ingest node: rsyslog, the shim that it starts, and a broker of its own. */
final class Node implements AutoCloseable {
  /** How rsyslog and the shim talk, and so what rsyslog's action has to say. */
  enum Mode {
    CONFIRM("useTransactions=\"on\" confirmMessages=\"on\""),
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

  private static final String JAR = "/opt/duplog-ingest.jar";
  private static final String SHIM_LOG = "/tmp/shim.log";
  private static final String RSYSLOG_LOG = "/tmp/rsyslog.log";

  private final String stream;
  private final RabbitMq broker;
  private final Rsyslog rsyslog;

  private Node(String stream, RabbitMq broker, Rsyslog rsyslog) {
    this.stream = stream;
    this.broker = broker;
    this.rsyslog = rsyslog;
  }

  /** A node whose broker runs and whose rsyslog does not yet. */
  static Node withBroker(String stream) throws LabException {
    LabJars jars = LabJars.ofThisBuild();
    Rsyslog rsyslog = Rsyslog.idle();
    rsyslog.copyIn(jars.shim(), JAR);
    return new Node(stream, RabbitMq.started(), rsyslog);
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
    rsyslog.write(
        "/etc/duplog-ingest.yaml",
        """
        stream: %s
        broker: {host: %s, port: %d, user: guest, password: guest}
        omprog: {mode: %s, patience: %ds}
        """
            .formatted(
                stream,
                broker.host(),
                broker.port(),
                mode.name().toLowerCase(Locale.ROOT),
                PATIENCE.toSeconds()));
    rsyslog.start(
        """
        module(load="omprog")
        template(name="duplog" type="string" string="%%fromhost-ip%% %%%s%%\\n")
        if $inputname == "rsyslogd" then {
          action(type="omfile" file="/tmp/rsyslog.log")
          stop
        }
        action(type="omprog" template="duplog"
               binary="/usr/bin/java -Xmx48m -XX:+UseSerialGC -jar %s --config /etc/duplog-ingest.yaml"
               %s
               reportFailures="on" output="/tmp/shim.log"
               action.resumeRetryCount="-1" action.resumeInterval="1"
               queue.type="LinkedList" queue.filename="duplog" queue.size="100000"
               queue.dequeueBatchSize="%d" queue.workerThreads="1"
               queue.maxDiskSpace="1g" queue.saveOnShutdown="on")
        """
            .formatted(property, JAR, mode.parameters, TRANSACTION));
  }

  /** Messages that no bridge has settled yet, as far as the broker has them. */
  long unsettled() {
    return broker.depth(Topology.DEFAULT_QUEUE);
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
