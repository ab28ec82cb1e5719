package io.duplog.benchmark.fuzz;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Feeds inputs to one target. A finding is an undocumented exception, an input that takes too much
 * memory, or an input that is never read to its end.
 */
final class FuzzRun {
  /**
   * Most memory that reading an input may allocate, far more than needed for one of at most 64 KiB.
   */
  private static final long MOST_BYTES_AN_INPUT = 16 << 20;

  /**
   * Time-out of a round in seconds, a thousand times as long as a round takes on a busy machine.
   */
  private static final long MOST_SECONDS_A_ROUND = 60;

  private static final int INPUTS_A_ROUND = 1000;
  private static final int SHOWN_BYTES = 300;

  /**
   * The result of a run.
   *
   * @param accepted number of inputs that were valid; if they are few, only the outermost checks
   *     were tested
   * @param mostBytes the most memory that reading one input allocated, in bytes
   * @param finding the first finding with its input; null if there is none
   */
  record Result(
      String target, long inputs, long accepted, long mostBytes, @Nullable String finding) {}

  private final String name;
  private final Target target;
  private final Mutator mutator;
  private final long inputs;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private volatile byte[] current = {};
  private long done;
  private long accepted;
  private long mostBytes;

  /**
   * @param name the target's name in the table of results
   */
  FuzzRun(String name, Target target, long seed, long inputs) {
    this.name = name;
    this.target = target;
    this.mutator = new Mutator(seed, target.samples());
    this.inputs = inputs;
  }

  /**
   * Runs against all targets.
   *
   * @param inputs total number of inputs, shared equally among the targets
   */
  static List<Result> all(long seed, long inputs) throws Exception {
    long each = inputs / 3;
    return List.of(
        new FuzzRun("wire decoder", new WireTarget(), seed, each).run(),
        new FuzzRun("omprog reader", new OmprogTarget(), seed, each).run(),
        new FuzzRun("configuration", new ConfigTarget(), seed, each).run());
  }

  Result run() throws InterruptedException {
    ExecutorService reader =
        Executors.newSingleThreadExecutor(
            new ThreadFactoryBuilder().setNameFormat("fuzz").setDaemon(true).build());
    @Nullable String finding = null;
    try {
      while (finding == null && done < inputs) {
        finding = reader.submit(this::readSome).get(MOST_SECONDS_A_ROUND, TimeUnit.SECONDS);
      }
    } catch (TimeoutException e) {
      finding = "no end after " + MOST_SECONDS_A_ROUND + " s: " + shown(current);
    } catch (ExecutionException e) {
      finding = e.getCause() + ": " + shown(current);
    } finally {
      reader.shutdownNow();
    }
    return new Result(name, done, accepted, mostBytes, finding);
  }

  private @Nullable String readSome() throws Exception {
    for (int i = 0; i < INPUTS_A_ROUND && done < inputs; i++) {
      byte[] input = mutator.next();
      current = input;
      long before = threads.getCurrentThreadAllocatedBytes();
      accepted += target.read(input) ? 1 : 0;
      long taken = threads.getCurrentThreadAllocatedBytes() - before;
      done++;
      mostBytes = Math.max(mostBytes, taken);
      if (taken > MOST_BYTES_AN_INPUT) {
        return taken + " bytes of memory: " + shown(input);
      }
    }
    return null;
  }

  private static String shown(byte[] input) {
    byte[] head = input.length > SHOWN_BYTES ? Arrays.copyOf(input, SHOWN_BYTES) : input;
    return input.length + " bytes, in Base64: " + Base64.getEncoder().encodeToString(head);
  }
}
