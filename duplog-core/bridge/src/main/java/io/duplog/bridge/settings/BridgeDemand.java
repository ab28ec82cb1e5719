package io.duplog.bridge.settings;

import io.duplog.amqp.BrokerThreads;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.kafka.KafkaSinkConfig;
import io.duplog.process.ResourceDemand;
import io.duplog.receive.ReceiveConfig;
import java.util.List;
import java.util.Objects;

/**
 * Estimates how many threads and files and how much heap a bridge needs, to check the host's
 * limits. The figures are those of docs/scaling.md, measured with many queues and many requests.
 */
public final class BridgeDemand {
  /** Threads of Java, of the status page and of all parts that exist once. */
  private static final int BASE_THREADS = 32;

  /** Threads that Java adds on a machine with many processors, and threads that start on demand. */
  private static final int EXTRA_BASE_THREADS = 16;

  /** The consumer's own thread, and the thread that reads its connection. */
  private static final int THREADS_OF_QUEUE = 2;

  /** The thread that closes a lost connection, and a connection for undecodable bodies. */
  private static final int EXTRA_THREADS_OF_QUEUE = 3;

  /** The sender's own thread, and the HTTP client's thread for its connection. */
  private static final int THREADS_OF_SENDER = 2;

  /** The connection for dead letters: a thread that reads, and a thread that sends heartbeats. */
  private static final int THREADS_OF_LETTERS = 2;

  /** Jars, files of the sink and of statements, and connections of the status page. */
  private static final int BASE_FILES = 512;

  /** The connection, and three files of the HTTP client's selector. */
  private static final int FILES_OF_SENDER = 4;

  /** The sender's own thread, and the thread of Kafka's producer. */
  private static final int THREADS_OF_KAFKA = 2;

  /** A connection to each broker of a large cluster, and the producer's selector. */
  private static final int FILES_OF_KAFKA = 64;

  private static final long BASE_HEAP = 64L << 20;

  /** The largest batch that a shim makes, while a worker decodes it. */
  private static final long HEAP_OF_WORKER = 1L << 20;

  private static final long HEAP_OF_INVENTORIED = 2_000;
  private static final long HEAP_OF_DIGEST = 150;

  private BridgeDemand() {}

  public static ResourceDemand of(BridgeConfig config) {
    ReceiveConfig receive = config.receive();
    long queues = config.streams().stream().mapToInt(stream -> stream.queueNames().size()).sum();
    long brokers = config.streams().size();
    long parts = config.redis().parts();
    List<HecSinkConfig> hecs =
        config.allSinks().values().stream()
            .map(SinkConfig::activeHec)
            .filter(Objects::nonNull)
            .toList();
    long senders = hecs.stream().mapToLong(BridgeDemand::senders).sum();
    long kafkas =
        config.allSinks().values().stream()
            .filter(sink -> sink.type() == SinkConfig.Type.KAFKA)
            .count();
    long threads =
        BASE_THREADS
            + THREADS_OF_QUEUE * queues
            + brokers * (BrokerThreads.MOST + THREADS_OF_LETTERS)
            + parts
            + receive.workers()
            + THREADS_OF_SENDER * senders
            + THREADS_OF_KAFKA * kafkas;
    return new ResourceDemand(
        threads,
        threads + EXTRA_BASE_THREADS + EXTRA_THREADS_OF_QUEUE * queues + senders,
        BASE_FILES
            + 2 * queues
            + brokers
            + (parts + 1) * (receive.workers() + 3)
            + FILES_OF_SENDER * senders
            + FILES_OF_KAFKA * kafkas,
        heap(config, hecs) + KafkaSinkConfig.PRODUCER_BYTES * kafkas);
  }

  private static long senders(HecSinkConfig hec) {
    return (long) hec.urls().size() * hec.requestsPerUrl();
  }

  private static long heap(BridgeConfig config, List<HecSinkConfig> hecs) {
    DedupConfig dedup = config.dedup();
    // Deliveries already on their way when the bridge stops asking may add half as much.
    long held = config.receive().prefetchBytes().bytes() / 2 * 3;
    long digests = 0;
    if (dedup.store() == DedupConfig.Store.MEMORY) {
      digests = dedup.memory().maxDigests();
    } else if (dedup.whenUnavailable() == DedupConfig.WhenUnavailable.LOCAL) {
      digests = dedup.localLimit();
    }
    // Requests hold only messages that are already held. JSON may double their length, and the HTTP
    // client copies it.
    long bodies =
        hecs.stream()
            .mapToLong(hec -> 2 * Math.min(senders(hec) * hec.maxBytes().bytes(), 2 * held))
            .sum();
    long buffers =
        config.allSinks().values().stream()
            .filter(sink -> !sink.required())
            .mapToLong(sink -> sink.buffer().bytes())
            .sum();
    return BASE_HEAP
        + held
        + bodies
        + buffers
        + HEAP_OF_WORKER * config.receive().workers()
        + HEAP_OF_INVENTORIED * config.coverage().inventory()
        + HEAP_OF_DIGEST * digests;
  }
}
