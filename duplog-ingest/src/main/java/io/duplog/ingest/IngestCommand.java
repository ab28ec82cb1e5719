package io.duplog.ingest;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.LogConfig;
import io.duplog.ingest.publish.Publishing;
import io.duplog.process.ProgramLog;
import io.duplog.wire.CompressionTrial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command line of the shim: starts it for rsyslog, or checks its configuration with {@code
 * --check}. The exit status is 0 after success, 1 after a failure, and 2 if the arguments or the
 * configuration are invalid.
 */
@Command(
    name = "duplog-ingest",
    description = {
      "Publish what rsyslog hands over to this node's RabbitMQ.",
      "rsyslog's omprog starts this program, and writes messages to its standard input. With"
          + " --listen, rsyslog's omelasticsearch sends them to a port."
    },
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:rsyslog closed the pipe, SIGTERM came, or --check found no problem",
      "1:messages may be lost, or --check found a problem",
      "2:the command line or the configuration is wrong"
    },
    footerHeading = "Example:%n",
    footer = "  duplog-ingest --config /etc/duplog/duplog-ingest.yaml --check",
    mixinStandardHelpOptions = true)
final class IngestCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(IngestCommand.class);

  /** Heap memory that the shim needs in addition to batches. */
  private static final long BASE_HEAP_BYTES = 12L << 20;

  private static final int SUCCESS_STATUS = 0;
  private static final int FAILURE_STATUS = 1;
  private static final int USAGE_STATUS = 2;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "Configuration: a YAML file, such as /etc/duplog/duplog-ingest.yaml.")
  private Path file = Path.of("");

  @Option(
      names = "--check",
      description =
          "Check the configuration, and exit: try the compression, connect to the broker, declare"
              + " the queue, and try whether the broker takes the largest batch.")
  private boolean check;

  @Option(
      names = "--listen",
      description =
          "Accept HTTP requests until SIGTERM, instead of standard input: from rsyslog's"
              + " omelasticsearch if the configuration has a section listen, or from clients of"
              + " HTTP Event Collector if it has a section hec.")
  private boolean listen;

  @Override
  public Integer call() throws InterruptedException {
    try {
      IngestConfig config = ConfigLoader.ofSystem().load(file, IngestConfig.class);
      if (config.log().format() == LogConfig.Format.JSON) {
        ProgramLog.asJson("duplog-ingest");
      }
      String heapWarning = heapWarning(config, Runtime.getRuntime().maxMemory());
      if (heapWarning != null) {
        log.warn("{}", heapWarning);
      }
      if (check) {
        return check(config);
      }
      return listen ? listen(config) : new Shim(config).run();
    } catch (ConfigException e) {
      return report(e.getMessage(), USAGE_STATUS);
    } catch (IOException e) {
      return report(e.getMessage(), FAILURE_STATUS);
    }
  }

  /** Returns a warning if the configured limits exceed Java's heap, or null if they fit. */
  static @Nullable String heapWarning(IngestConfig config, long heapBytes) {
    long maxHeapBytes =
        BASE_HEAP_BYTES
            + (config.hec() == null ? 0 : config.hec().maxMemory().bytes())
            + config
                .batch()
                .maxMemoryBytes(config.broker().queueCount(), config.omprog().maxMessage());
    return maxHeapBytes <= heapBytes
        ? null
        : ("the configuration's bounds allow for %d MiB of heap, and Java has %d MiB: when they are"
                + " full, the shim ends out of memory, and clients send what it held again;"
                + " change: a larger -Xmx (INGEST_JAVA_OPTS of /etc/default/duplog-ingest, for"
                + " duplog-ingest.service also MemoryMax), or lower batch.max-unconfirmed,"
                + " batch.max-bytes, broker.queue-count or hec.max-memory")
            .formatted(maxHeapBytes >> 20, heapBytes >> 20);
  }

  private int listen(IngestConfig config) throws IOException, InterruptedException {
    if (config.listen() == null && config.hec() == null) {
      return report(
          "%s has neither a section listen nor a section hec. --listen needs one of them. Add listen.password for rsyslog, or hec.tokens for clients of HEC."
              .formatted(file),
          USAGE_STATUS);
    }
    if (config.batch().compress()) {
      CompressionTrial
          .run(); // if the library fails to load during operation, it stays unusable until a
      // restart
    }
    return new ListeningShim(config).run();
  }

  private static int check(IngestConfig config) throws IOException, InterruptedException {
    if (config.batch().compress()) {
      CompressionTrial.run();
    }
    Publishing.check(
        config.broker(),
        config.stream(),
        config.batch().maxBodyBytes(config.omprog().maxMessage()));
    return report("the configuration and the broker are well", SUCCESS_STATUS);
  }

  /** Prints the command's result for the operator, and returns the exit status. */
  private static int report(@Nullable String line, int status) {
    System.err.println("duplog-ingest: " + line);
    return status;
  }
}
