package io.duplog.process;

import io.duplog.observe.PollingThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports to systemd that the program has started, that it is alive, and what is wrong at the
 * moment. Does nothing unless systemd requested reports through {@code NOTIFY_SOCKET}.
 *
 * <p>"Started" means that the program is running, even if servers are unavailable. The program
 * reconnects to them by itself, and {@code systemctl status} shows the problem until then.
 */
public final class Supervision {
  /** Maximum time in nanoseconds until {@code systemctl status} shows a change. */
  private static final long CHECK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Maximum length of a status. systemd shows one line and accepts only a few kilobytes. */
  private static final int MAX_STATUS_LENGTH = 400;

  private final boolean isRequested;
  private final long watchdogNanos;
  private final Supplier<String> condition;
  private final BooleanSupplier liveness;
  private final Consumer<List<String>> notifier;
  private final LongSupplier nanoClock;
  private final PollingThread thread;
  private @Nullable String lastStatus;
  private long lastWatchdogNanos;

  /**
   * @param environment this process's environment, in which systemd requests reports and sets their
   *     interval
   * @param condition supplies the current problem as one line for an operator
   * @param liveness whether the program makes progress
   * @param notifier sends assignments to systemd in the format of sd_notify(3)
   */
  public Supervision(
      Map<String, String> environment,
      Supplier<String> condition,
      BooleanSupplier liveness,
      Consumer<List<String>> notifier,
      LongSupplier nanoClock) {
    this.isRequested = environment.containsKey("NOTIFY_SOCKET");
    this.watchdogNanos = watchdogNanos(environment.get("WATCHDOG_USEC"));
    this.condition = condition;
    this.liveness = liveness;
    this.notifier = notifier;
    this.nanoClock = nanoClock;
    long pause =
        watchdogNanos > 0
            ? Math.min(CHECK_INTERVAL_NANOS, watchdogNanos / 6)
            : CHECK_INTERVAL_NANOS;
    this.thread = new PollingThread("systemd", Duration.ofNanos(pause), this::runOnce);
  }

  private static long watchdogNanos(@Nullable String micros) {
    return micros == null ? 0 : TimeUnit.MICROSECONDS.toNanos(Long.parseLong(micros));
  }

  /** Reports that the program has started, and starts the thread that reports changes. */
  public void start() {
    if (isRequested) {
      lastStatus = status();
      lastWatchdogNanos = nanoClock.getAsLong();
      notifier.accept(List.of("READY=1", "STATUS=" + lastStatus));
      thread.start();
    }
  }

  /** Reports that the program is stopping, and ends all further reports. */
  public void stopping(Duration grace) {
    if (isRequested) {
      thread.close();
      notifier.accept(
          List.of(
              "STOPPING=1",
              "STATUS=settling what is in flight, %d s at most"
                  .formatted((grace.toMillis() + 999) / 1000)));
    }
  }

  /**
   * Reports the status if it has changed, and reports that the program is alive if this report is
   * due.
   */
  public void runOnce() {
    List<String> assignments = new ArrayList<>();
    long now = nanoClock.getAsLong();
    boolean isAlive = liveness.getAsBoolean();
    if (watchdogNanos > 0 && isAlive && now - lastWatchdogNanos >= watchdogNanos / 3) {
      assignments.add("WATCHDOG=1");
      lastWatchdogNanos = now;
    }
    String status = isAlive ? status() : "stuck: its work does not go on";
    if (!status.equals(lastStatus)) {
      assignments.add("STATUS=" + status);
      lastStatus = status;
    }
    if (!assignments.isEmpty()) {
      notifier.accept(assignments);
    }
  }

  private String status() {
    String line = condition.get().replaceAll("\\p{Cntrl}", " ");
    return line.length() <= MAX_STATUS_LENGTH ? line : line.substring(0, MAX_STATUS_LENGTH);
  }
}
