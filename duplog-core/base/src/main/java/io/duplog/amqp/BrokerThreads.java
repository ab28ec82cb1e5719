package io.duplog.amqp;

import com.rabbitmq.client.ConnectionFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that all connections to one broker share. The AMQP client would otherwise start as
 * many for each connection as the machine has processors, and one for heartbeats. Not shared among
 * brokers, because a write to a broker that hangs may block them until its connection is given up.
 * They are daemons that end when they have had nothing to do for a minute. Safe for any thread.
 *
 * @see "docs/decisions/receive.md#queue-consumers"
 */
public final class BrokerThreads {
  /** Threads that hand deliveries over. That takes microseconds, so two serve many queues. */
  private static final int DELIVERING = 2;

  /** Most threads for one broker, besides one for each connection. */
  public static final int MOST = DELIVERING + 1;

  private static final long IDLE_SECONDS = 60;

  private final ThreadPoolExecutor deliveries;
  private final ScheduledThreadPoolExecutor heartbeats;

  public BrokerThreads() {
    this.deliveries =
        new ThreadPoolExecutor(
            DELIVERING,
            DELIVERING,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemons("amqp-deliveries"));
    deliveries.allowCoreThreadTimeOut(true);
    this.heartbeats = new ScheduledThreadPoolExecutor(1, daemons("amqp-heartbeats"));
    heartbeats.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    heartbeats.allowCoreThreadTimeOut(true);
    heartbeats.setRemoveOnCancelPolicy(true);
  }

  /** Makes the factory's connections use these threads. */
  void applyTo(ConnectionFactory factory) {
    factory.setSharedExecutor(deliveries);
    factory.setHeartbeatExecutor(heartbeats);
  }

  static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
