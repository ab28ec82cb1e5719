package io.duplog.process;

import java.lang.reflect.Proxy;

/**
 * Runs actions when the program receives signals such as SIGTERM or SIGHUP. Java supports this only
 * through {@code sun.misc.Signal}. Every OpenJDK has that class, but the compiler rejects it, so
 * this class calls it by reflection. A shutdown hook could neither exit with status 0 nor
 * distinguish SIGHUP from SIGTERM.
 */
public final class Signals {
  private Signals() {}

  /**
   * A signal whose action changes during the program's start. At most one action runs at a time,
   * and a replaced action never runs again. Thread-safe.
   */
  public static final class Staged {
    private Runnable action;

    private Staged(Runnable first) {
      action = first;
    }

    private synchronized void runAction() {
      action.run();
    }

    /** Replaces the action. The previous action is no longer running when this method returns. */
    public synchronized void become(Runnable next) {
      action = next;
    }
  }

  /**
   * Sets the action for a signal, as {@link #on} does. The returned object can replace the action.
   */
  public static Staged staged(String name, Runnable first) {
    Staged signal = new Staged(first);
    on(name, signal::runAction);
    return signal;
  }

  /**
   * Sets an action that runs on a separate thread each time the process receives the signal. The
   * action replaces the signal's default action.
   *
   * @param name name of the signal, without {@code SIG}
   */
  public static void on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> {
                action.run();
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java platform can't handle SIG" + name, e);
    }
  }
}
