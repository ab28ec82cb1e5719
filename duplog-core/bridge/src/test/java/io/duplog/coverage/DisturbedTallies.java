package io.duplog.coverage;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Tallies;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a bridge and the counts that all bridges share, so that a test can cause failures.
 */
final class DisturbedTallies implements InvocationHandler {
  /** Called with the method's name before each call, and again after the store has executed it. */
  interface Disturbance {
    void at(String call, boolean done) throws LedgerUnavailableException;
  }

  static final Disturbance NONE = (call, done) -> {};

  static final Disturbance AWAY =
      (call, done) -> {
        throw new LedgerUnavailableException("away", null, false);
      };

  /** Executes each call, and loses its answer. */
  static final Disturbance UNANSWERED =
      (call, done) -> {
        if (done) {
          throw new LedgerUnavailableException("no answer", null, true);
        }
      };

  private final Tallies target;
  private Disturbance disturbance = NONE;

  DisturbedTallies(Tallies target) {
    this.target = target;
  }

  /** Returns a disturbance that sometimes fails, before or after the store has executed a call. */
  static Disturbance flaky(Random random) {
    return (call, done) -> {
      boolean changes = call.equals("update") || call.equals("settle");
      if ((changes || !done) && random.nextInt(6) == 0) {
        throw new LedgerUnavailableException("now and then", null, true);
      }
    };
  }

  void disturb(Disturbance another) {
    disturbance = another;
  }

  /** Returns the tallies that the bridge uses. */
  Tallies disturbed() {
    return (Tallies)
        Proxy.newProxyInstance(
            Tallies.class.getClassLoader(), new Class<?>[] {Tallies.class}, this);
  }

  @Override
  public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
      throws Throwable {
    disturbance.at(method.getName(), false);
    try {
      Object answer = method.invoke(target, arguments);
      disturbance.at(method.getName(), true);
      return answer;
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
