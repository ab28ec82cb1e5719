package io.duplog.coverage;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Tallies;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What stands between a bridge and what is shared, where a test may let things happen. */
final class DisturbedTallies {
  /** By the methods' names. */
  enum Call {
    ADD,
    READ,
    SETTLE,
    HISTORY,
    HOURS
  }

  /** What happens before each call, and again when the store has done it. */
  interface Disturbance {
    void at(Call call, boolean done) throws LedgerUnavailableException;
  }

  static final Disturbance NONE = (call, done) -> {};

  static final Disturbance AWAY = (call, done) -> fail("away", false);

  private final Tallies target;
  private Disturbance disturbance;

  DisturbedTallies(Tallies target, Disturbance disturbance) {
    this.target = target;
    this.disturbance = disturbance;
  }

  /** Undisturbed ones for now, which are added to a list. */
  static UnaryOperator<Tallies> into(List<DisturbedTallies> ways) {
    return tallies -> {
      DisturbedTallies way = new DisturbedTallies(tallies, NONE);
      ways.add(way);
      return way.disturbed();
    };
  }

  /** Now and then fails, before the store has done something or after. */
  static Disturbance flaky(Random random) {
    return (call, done) -> {
      boolean changes = call == Call.ADD || call == Call.SETTLE;
      if ((changes || !done) && random.nextInt(6) == 0) {
        fail("now and then", true);
      }
    };
  }

  void disturb(Disturbance another) {
    disturbance = another;
  }

  /** For the bridge. */
  Tallies disturbed() {
    return (Tallies)
        Proxy.newProxyInstance(
            Tallies.class.getClassLoader(), new Class<?>[] {Tallies.class}, this::call);
  }

  private @Nullable Object call(Object self, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Call call = Call.valueOf(method.getName().toUpperCase(Locale.ROOT));
    disturbance.at(call, false);
    try {
      Object answer = method.invoke(target, arguments);
      disturbance.at(call, true);
      return answer;
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private static void fail(String cause, boolean maybeDone) throws LedgerUnavailableException {
    @Nullable Throwable noCause = null;
    throw new LedgerUnavailableException(cause, noCause, maybeDone);
  }
}
