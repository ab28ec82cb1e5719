package io.duplog.observe;

import java.lang.reflect.Proxy;

/**
 * Runs actions on signals. Java offers that only through {@code sun.misc.Signal}, which every
 * OpenJDK has but the compiler refuses, so it is called by reflection. A shutdown hook could
 * neither exit with 0 nor tell SIGHUP from SIGTERM.
 */
public final class Signals {
  private Signals() {}

  /**
   * A signal whose action changes once the program can do more. At any time one action runs at
   * most, and none that was replaced.
   */
  public static final class Staged {
    private Runnable action;

    private Staged(Runnable first) {
      action = first;
    }

    private synchronized void come() {
      action.run();
    }

    /** Replaces the action. When this returns, the one before is over. */
    public synchronized void become(Runnable next) {
      action = next;
    }
  }

  /**
   * Sets an action for a signal, as {@link #on} does, and returns it so that it may be replaced.
   */
  public static Staged staged(String name, Runnable first) {
    Staged signal = new Staged(first);
    on(name, signal::come);
    return signal;
  }

  /**
   * Runs an action, in a thread of its own, each time the signal comes. It replaces the signal's
   * default action.
   *
   * @param name of the signal, without {@code SIG}
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
