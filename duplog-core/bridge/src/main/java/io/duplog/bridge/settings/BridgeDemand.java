package io.duplog.bridge.settings;

import io.duplog.amqp.BrokerThreads;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.observe.ResourceDemand;
import io.duplog.receive.ReceiveConfig;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what a bridge needs of its host. The figures are those of docs/scaling.md, and were
 * measured with many queues and many requests.
 */
public final class BridgeDemand {
  /** Threads of Java, of the page and of everything that there is once. */
  private static final int BASE_THREADS = 32;

  /** What Java adds on a machine with many processors, and threads that begin when needed. */
  private static final int MORE_BASE_THREADS = 16;

  /** The consumer's own, and the one that reads its connection. */
  private static final int THREADS_OF_QUEUE = 2;

  /** One that ends a lost connection, and a connection for bodies that can't be decoded. */
  private static final int MORE_OF_QUEUE = 3;

  /** The sender's own, and the one that the HTTP client has for its connection. */
  private static final int THREADS_OF_SENDER = 2;

  /** The connection for dead letters: one thread reads, and one sends heartbeats. */
  private static final int THREADS_OF_LETTERS = 2;

  /** Jars, files of the sink and statements, and the page's connections. */
  private static final int BASE_FILES = 512;

  /** The connection, and three of the HTTP client that waits for it. */
  private static final int FILES_OF_SENDER = 4;

  private static final long BASE_HEAP = 64L << 20;

  /** A batch as large as a shim makes it, while a worker decodes it. */
  private static final long HEAP_OF_WORKER = 1L << 20;

  private static final long HEAP_OF_INVENTORIED = 2_000;
  private static final long HEAP_OF_DIGEST = 150;

  private BridgeDemand() {}

  public static ResourceDemand of(BridgeConfig config) {
    ReceiveConfig receive = config.receive();
    long queues = config.streams().stream().mapToInt(stream -> stream.queueNames().size()).sum();
    long brokers = config.streams().size();
    long parts = config.redis().parts();
    HecSinkConfig hec = config.sink().type() == SinkConfig.Type.HEC ? config.sink().hec() : null;
    long senders = hec == null ? 0 : (long) hec.urls().size() * hec.requestsPerUrl();
    long threads =
        BASE_THREADS
            + THREADS_OF_QUEUE * queues
            + brokers * (BrokerThreads.MOST + THREADS_OF_LETTERS)
            + parts
            + receive.workers()
            + THREADS_OF_SENDER * senders;
    return new ResourceDemand(
        threads,
        threads + MORE_BASE_THREADS + MORE_OF_QUEUE * queues + senders,
        BASE_FILES
            + 2 * queues
            + brokers
            + (parts + 1) * (receive.workers() + 3)
            + FILES_OF_SENDER * senders,
        heap(config, hec, senders));
  }

  private static long heap(BridgeConfig config, @Nullable HecSinkConfig hec, long senders) {
    DedupConfig dedup = config.dedup();
    // What is on its way when the bridge asks for no more may add half as much.
    long held = config.receive().prefetchBytes().bytes() / 2 * 3;
    long digests = 0;
    if (dedup.store() == DedupConfig.Store.MEMORY) {
      digests = dedup.memory().maxDigests();
    } else if (dedup.whenUnavailable() == DedupConfig.WhenUnavailable.LOCAL) {
      digests = dedup.localLimit();
    }
    // Requests hold nothing that is not held already. As JSON it may be twice as long; and the HTTP
    // client copies it.
    long bodies = hec == null ? 0 : 2 * Math.min(senders * hec.maxBytes().bytes(), 2 * held);
    return BASE_HEAP
        + held
        + bodies
        + HEAP_OF_WORKER * config.receive().workers()
        + HEAP_OF_INVENTORIED * config.coverage().inventory()
        + HEAP_OF_DIGEST * digests;
  }
}
