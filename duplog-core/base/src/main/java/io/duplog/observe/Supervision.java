package io.duplog.observe;

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
 * Reports to systemd that this program has started, that it is alive, and what is wrong with it.
 * Does nothing unless systemd asked for that by {@code NOTIFY_SOCKET}.
 *
 * <p>Started means that the program runs, even if servers are unavailable. It recovers from their
 * absence by itself, and {@code systemctl status} shows it.
 */
public final class Supervision {
  /** Longest time in nanoseconds until a change shows in {@code systemctl status}. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Longest status, in characters, because systemd shows one line and takes no more than a few
   * kilobytes.
   */
  private static final int LONGEST_STATUS = 400;

  private final boolean wanted;
  private final long watchdogNanos;
  private final Supplier<String> condition;
  private final BooleanSupplier liveness;
  private final Consumer<List<String>> voice;
  private final LongSupplier nanos;
  private final PollingThread thread;
  private @Nullable String lastStatus;
  private long aliveToldNanos;

  /**
   * @param environment this process's environment, where systemd says whether and how often it
   *     wants to be told
   * @param condition what is wrong, in one line for an operator
   * @param liveness whether the program does its work
   * @param voice sends assignments to systemd, as sd_notify(3) takes them
   */
  public Supervision(
      Map<String, String> environment,
      Supplier<String> condition,
      BooleanSupplier liveness,
      Consumer<List<String>> voice,
      LongSupplier nanos) {
    this.wanted = environment.containsKey("NOTIFY_SOCKET");
    this.watchdogNanos = watchdogNanos(environment.get("WATCHDOG_USEC"));
    this.condition = condition;
    this.liveness = liveness;
    this.voice = voice;
    this.nanos = nanos;
    long pause = watchdogNanos > 0 ? Math.min(LOOK_NANOS, watchdogNanos / 6) : LOOK_NANOS;
    this.thread = new PollingThread("systemd", Duration.ofNanos(pause), this::runOnce);
  }

  private static long watchdogNanos(@Nullable String micros) {
    return micros == null ? 0 : TimeUnit.MICROSECONDS.toNanos(Long.parseLong(micros));
  }

  /** Reports that the program has started, and starts the thread that reports changes. */
  public void start() {
    if (wanted) {
      lastStatus = status();
      aliveToldNanos = nanos.getAsLong();
      voice.accept(List.of("READY=1", "STATUS=" + lastStatus));
      thread.start();
    }
  }

  /** Reports that the program is stopping, and ends all further reports. */
  public void stopping(Duration grace) {
    if (wanted) {
      thread.close();
      voice.accept(
          List.of(
              "STOPPING=1",
              "STATUS=settling what is in flight, %d s at most"
                  .formatted((grace.toMillis() + 999) / 1000)));
    }
  }

  /** Reports a changed status, and that the program is alive if that is due. */
  public void runOnce() {
    List<String> news = new ArrayList<>();
    long now = nanos.getAsLong();
    boolean lives = liveness.getAsBoolean();
    if (watchdogNanos > 0 && lives && now - aliveToldNanos >= watchdogNanos / 3) {
      news.add("WATCHDOG=1");
      aliveToldNanos = now;
    }
    String status = lives ? status() : "stuck: its work does not go on";
    if (!status.equals(lastStatus)) {
      news.add("STATUS=" + status);
      lastStatus = status;
    }
    if (!news.isEmpty()) {
      voice.accept(news);
    }
  }

  private String status() {
    String line = condition.get().replaceAll("\\p{Cntrl}", " ");
    return line.length() <= LONGEST_STATUS ? line : line.substring(0, LONGEST_STATUS);
  }
}
