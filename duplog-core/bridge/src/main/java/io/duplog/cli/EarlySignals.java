package io.duplog.cli;

import io.duplog.process.Signals;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Handles signals to a bridge that is still starting: SIGTERM ends it at once, and a request to
 * reload is kept until it runs. Java by itself would end at SIGHUP and SIGUSR1. The installed start
 * script ignores SIGHUP and SIGUSR1. Java can then handle SIGUSR1, but not SIGHUP.
 *
 * @see "docs/decisions/hosts.md#systemd"
 */
final class EarlySignals {
  private static final EarlySignals INSTANCE = new EarlySignals();

  private final AtomicBoolean isReloadRequested = new AtomicBoolean();
  private final List<Signals.Staged> reloads;
  private final Signals.Staged terminate;

  private EarlySignals() {
    reloads =
        List.of(
            Signals.staged("HUP", () -> isReloadRequested.set(true)),
            Signals.staged("USR1", () -> isReloadRequested.set(true)));
    // No message has been received yet, so none has to be settled.
    terminate = Signals.staged("TERM", () -> Runtime.getRuntime().halt(0));
  }

  /** Starts to handle signals. Called first of all when the program starts. */
  static EarlySignals begin() {
    return INSTANCE;
  }

  /**
   * Called just before the bridge starts.
   *
   * @param reload runs at each SIGHUP and SIGUSR1, and immediately if one has already arrived
   * @param end runs at SIGTERM
   */
  void handOver(Runnable reload, Runnable end) {
    terminate.become(end);
    reloads.forEach(each -> each.become(reload));
    if (isReloadRequested.get()) {
      reload.run();
    }
  }
}
