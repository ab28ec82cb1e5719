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
 * Feeds random inputs to one reader of untrusted bytes, and reports inputs that make it throw, hang
 * or use too much memory. A finding is an undocumented exception, an input that takes too much
 * memory, or an input that is never read to its end.
 */
final class FuzzRun {
  /** Maximum memory for reading one input, far more than needed for one of at most 64 KiB. */
  private static final long MAX_BYTES_PER_INPUT = 16 << 20;

  /**
   * Time-out of a round in seconds, a thousand times as long as a round takes on a busy machine.
   */
  private static final long ROUND_TIMEOUT_SECONDS = 60;

  private static final int INPUTS_PER_ROUND = 1000;
  private static final int MAX_SHOWN_BYTES = 300;

  /**
   * The result of a run.
   *
   * @param acceptedInputs number of inputs that were valid; if there are few, only the outermost
   *     checks were tested
   * @param maxBytes maximum memory that reading one input allocated, in bytes
   * @param finding the first finding with its input, or null if there is none
   */
  record Result(
      String target, long inputs, long acceptedInputs, long maxBytes, @Nullable String finding) {}

  private final String name;
  private final Target target;
  private final Mutator mutator;
  private final long inputs;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private volatile byte[] currentInput = {};
  private long inputsRead;
  private long acceptedInputs;
  private long maxBytes;

  /**
   * Prepares a run.
   *
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
  static List<Result> runAll(long seed, long inputs) throws Exception {
    long inputsPerTarget = inputs / 3;
    return List.of(
        new FuzzRun("wire decoder", new WireTarget(), seed, inputsPerTarget).run(),
        new FuzzRun("omprog reader", new OmprogTarget(), seed, inputsPerTarget).run(),
        new FuzzRun("configuration", new ConfigTarget(), seed, inputsPerTarget).run());
  }

  Result run() throws InterruptedException {
    ExecutorService reader =
        Executors.newSingleThreadExecutor(
            new ThreadFactoryBuilder().setNameFormat("fuzz").setDaemon(true).build());
    @Nullable String finding = null;
    try {
      while (finding == null && inputsRead < inputs) {
        finding = reader.submit(this::readRound).get(ROUND_TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
    } catch (TimeoutException e) {
      finding = "no end after " + ROUND_TIMEOUT_SECONDS + " s: " + describe(currentInput);
    } catch (ExecutionException e) {
      finding = e.getCause() + ": " + describe(currentInput);
    } finally {
      reader.shutdownNow();
    }
    return new Result(name, inputsRead, acceptedInputs, maxBytes, finding);
  }

  private @Nullable String readRound() throws Exception {
    for (int i = 0; i < INPUTS_PER_ROUND && inputsRead < inputs; i++) {
      byte[] input = mutator.next();
      currentInput = input;
      long allocatedBefore = threads.getCurrentThreadAllocatedBytes();
      acceptedInputs += target.read(input) ? 1 : 0;
      long allocatedBytes = threads.getCurrentThreadAllocatedBytes() - allocatedBefore;
      inputsRead++;
      maxBytes = Math.max(maxBytes, allocatedBytes);
      if (allocatedBytes > MAX_BYTES_PER_INPUT) {
        return allocatedBytes + " bytes of memory: " + describe(input);
      }
    }
    return null;
  }

  private static String describe(byte[] input) {
    byte[] head = input.length > MAX_SHOWN_BYTES ? Arrays.copyOf(input, MAX_SHOWN_BYTES) : input;
    return input.length + " bytes, in Base64: " + Base64.getEncoder().encodeToString(head);
  }
}
