package io.duplog.amqp;

import com.rabbitmq.client.ConnectionFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Provides the few threads that all of a program's connections to one RabbitMQ share. Without them
 * the AMQP client would start one thread per processor for each connection, and one for heartbeats.
 * Different brokers don't share threads: a write to a hanging broker may block its threads until
 * the connection is abandoned. The threads end after they have been idle for a minute. Thread-safe.
 *
 * @see "docs/decisions/receive.md#queue-consumers"
 */
public final class BrokerThreads {
  /**
   * Number of threads that hand deliveries to consumers. Handing over takes microseconds, so two
   * threads serve many queues.
   */
  private static final int DELIVERY_THREADS = 2;

  /** Maximum number of threads for one broker, in addition to one for each connection. */
  public static final int MOST = DELIVERY_THREADS + 1;

  private static final long IDLE_SECONDS = 60;

  private final ThreadPoolExecutor deliveryExecutor;
  private final ScheduledThreadPoolExecutor heartbeatExecutor;

  public BrokerThreads() {
    this.deliveryExecutor =
        new ThreadPoolExecutor(
            DELIVERY_THREADS,
            DELIVERY_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemons("amqp-deliveries"));
    deliveryExecutor.allowCoreThreadTimeOut(true);
    this.heartbeatExecutor = new ScheduledThreadPoolExecutor(1, daemons("amqp-heartbeats"));
    heartbeatExecutor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    heartbeatExecutor.allowCoreThreadTimeOut(true);
    heartbeatExecutor.setRemoveOnCancelPolicy(true);
  }

  /** Makes the factory's connections use these threads. */
  void applyTo(ConnectionFactory factory) {
    factory.setSharedExecutor(deliveryExecutor);
    factory.setHeartbeatExecutor(heartbeatExecutor);
  }

  static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
