package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Tests that a thread which repeats a step survives exceptions, can skip its pause, and ends on
 * request.
 */
class PollingThreadTest {
  private static final Duration LONG_PAUSE = Duration.ofHours(1);

  private final AtomicInteger stepCount = new AtomicInteger();
  private final AtomicBoolean finalStepRun = new AtomicBoolean();

  @Test
  void step_throws_isRepeated() {
    try (PollingThread thread =
        new PollingThread(
            "test",
            LONG_PAUSE,
            () -> {
              stepCount.incrementAndGet();
              throw new IllegalStateException("a defect");
            },
            () -> {})) {
      thread.start();
      thread.start(); // a second start has no effect
      await().until(() -> stepCount.get() > 1);
    }
  }

  @Test
  void hurry_duringStep_skipsThePauseAfterIt() {
    CountDownLatch hurried = new CountDownLatch(1);
    try (PollingThread thread =
        new PollingThread(
            "test",
            () -> {
              stepCount.incrementAndGet();
              Uninterruptibles.awaitUninterruptibly(hurried); // consumes the wake-up of hurry()
              return LONG_PAUSE.toNanos();
            },
            () -> {})) {
      thread.start();
      await().until(() -> stepCount.get() == 1);
      thread.hurry();
      hurried.countDown();
      await().until(() -> stepCount.get() == 2);
      thread.hurry();
      await().until(() -> stepCount.get() == 3);
    }
  }

  @Test
  void close_duringPause_endsThreadAndRunsFinalStep() throws Exception {
    PollingThread thread =
        new PollingThread(
            "test", LONG_PAUSE, stepCount::incrementAndGet, () -> finalStepRun.set(true));
    thread.start();
    await().until(() -> stepCount.get() == 1);

    thread.close();
    thread.join();

    assertThat(finalStepRun).isTrue();
    assertThat(thread.isClosed()).isTrue();
    thread.start(); // an ended thread does not start again
    assertThat(stepCount).hasValue(1);
  }
}
