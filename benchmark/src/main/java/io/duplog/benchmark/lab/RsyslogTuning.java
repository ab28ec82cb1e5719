package io.duplog.benchmark.lab;

/**
 * How rsyslog's omprog action takes messages from its queue.
 *
 * @param dequeueBatchSize most messages of a transaction
 * @param workerThreads threads that do so when there is much to do, each with a shim of its own
 */
public record RsyslogTuning(int dequeueBatchSize, int workerThreads) {

  /** As deploy/rsyslog/60-duplog.conf has it. */
  public static final RsyslogTuning NONE = new RsyslogTuning(1024, 1);

  public RsyslogTuning {
    if (dequeueBatchSize < 1 || workerThreads < 1) {
      throw new IllegalArgumentException(
          "rsyslog needs one thread and one message a transaction at least");
    }
  }

  public RsyslogTuning withDequeueBatchSize(int messages) {
    return new RsyslogTuning(messages, workerThreads);
  }

  public RsyslogTuning withWorkerThreads(int threads) {
    return new RsyslogTuning(dequeueBatchSize, threads);
  }

  /** The parameters of the action's queue. */
  String parameters() {
    String parameters =
        "queue.dequeueBatchSize=\"%d\" queue.workerThreads=\"%d\""
            .formatted(dequeueBatchSize, workerThreads);
    // By default a second thread starts only when half of the queue is full.
    return workerThreads == 1
        ? parameters
        : parameters + " queue.workerThreadMinimumMessages=\"%d\"".formatted(dequeueBatchSize);
  }
}
