package io.duplog.cli;

import io.duplog.observe.Signals;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What signals do to a bridge that is starting. logrotate and systemd send them whenever they like,
 * and Java would end. The installed start script ignores SIGHUP, which Java can't take over then,
 * and SIGUSR1, which it can.
 *
 * @see "docs/decisions/hosts.md#systemd"
 */
final class EarlySignals {
  private static final EarlySignals ONLY = new EarlySignals();

  private final AtomicBoolean reloadAsked = new AtomicBoolean();
  private final List<Signals.Staged> reloads;
  private final Signals.Staged terminate;

  private EarlySignals() {
    reloads =
        List.of(
            Signals.staged("HUP", () -> reloadAsked.set(true)),
            Signals.staged("USR1", () -> reloadAsked.set(true)));
    // Nothing was taken yet, so that nothing is to be settled.
    terminate = Signals.staged("TERM", () -> Runtime.getRuntime().halt(0));
  }

  /** Takes signals from the first call on, which is the first thing that the program does. */
  static EarlySignals begin() {
    return ONLY;
  }

  /**
   * Called when the bridge is about to start.
   *
   * @param reload done at each SIGHUP and SIGUSR1, and now if one came before
   * @param end done at SIGTERM
   */
  void handOver(Runnable reload, Runnable end) {
    terminate.become(end);
    reloads.forEach(each -> each.become(reload));
    if (reloadAsked.get()) {
      reload.run();
    }
  }
}
