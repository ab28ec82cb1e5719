package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the thread that repeats a step. */
class PollingThreadTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicInteger steps = new AtomicInteger();
  private final AtomicBoolean ended = new AtomicBoolean();

  @Test
  void stepThatThrows_isTakenAgain() {
    try (PollingThread thread =
        new PollingThread(
            "test",
            LONG,
            () -> {
              steps.incrementAndGet();
              throw new IllegalStateException("a defect");
            },
            () -> {})) {
      thread.start();
      thread.start(); // once is enough
      await().until(() -> steps.get() > 1);
    }
  }

  @Test
  void hurry_duringAStepThatWaits_skipsThePauseBehindIt() {
    CountDownLatch hurried = new CountDownLatch(1);
    try (PollingThread thread =
        new PollingThread(
            "test",
            () -> {
              steps.incrementAndGet();
              Uninterruptibles.awaitUninterruptibly(hurried); // which takes hurry()'s wake-up
              return LONG.toNanos();
            },
            () -> {})) {
      thread.start();
      await().until(() -> steps.get() == 1);
      thread.hurry();
      hurried.countDown();
      await().until(() -> steps.get() == 2);
      thread.hurry();
      await().until(() -> steps.get() == 3);
    }
  }

  @Test
  void close_endsThePause_andHasTheLastThingDone() throws Exception {
    PollingThread thread =
        new PollingThread("test", LONG, steps::incrementAndGet, () -> ended.set(true));
    thread.start();
    await().until(() -> steps.get() == 1);

    thread.close();
    thread.join();

    assertThat(ended).isTrue();
    assertThat(thread.isClosed()).isTrue();
    thread.start(); // an ended thread stays ended
    assertThat(steps).hasValue(1);
  }
}
