package io.duplog.benchmark.drive;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.benchmark.hec.HecFault;
import io.duplog.benchmark.hec.HecServer;
import io.duplog.benchmark.hec.HecSettings;
import io.duplog.config.ConfigException;
import io.duplog.deliver.SinkException;
import io.duplog.wire.MessageBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures what a slow or dead URL costs the other one. */
@Command(
    name = "hec-balance",
    description = {
      "Measures what a second URL that is slow, dead or refuses connections costs the throughput"
          + " of the first.",
      "Drives the HEC sink in this process, in several interleaved rounds, and prints the ratios."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class HecBalanceCommand implements Callable<Integer> {
  private static final String TOKEN = "5f1d7f5e-68a5-4a2c-a1d7-5b6f0d5d7c52";
  private static final int MESSAGES = 500;
  private static final int MESSAGE_BYTES = 800;

  /** The sink finds out about the second URL in them. */
  private static final int ROUNDS = 5;

  private static final int WARM_UP_SECONDS = 3;
  private static final int SECONDS = 5;

  /** Makes the good URL the bottleneck, where the machine would be otherwise. */
  private static final Duration ANSWERS_AFTER = Duration.ofMillis(20);

  /** Delivery requests that are not accepted, at most, as the bridge's prefetch bounds them. */
  private static final int UNACCEPTED = 200;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** What the second URL is like. */
  private enum Second {
    NONE("one good URL"),
    SLOW("good + slow (1 s an answer)"),
    HANGING("good + dead (never answers)"),
    REFUSING("good + dead (refuses connections)");

    private final String words;

    Second(String words) {
      this.words = words;
    }
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException, ConfigException, SinkException {
    Map<Second, List<Double>> rates = new EnumMap<>(Second.class);
    for (int round = 1; round <= ROUNDS; round++) {
      for (Second second : Second.values()) {
        double rate = measure(second);
        rates.computeIfAbsent(second, any -> new ArrayList<>()).add(rate);
        say("round %d  %-36s %,10.0f messages/s".formatted(round, second.words, rate));
      }
    }
    double alone = median(rates, Second.NONE);
    for (Second second : Second.values()) {
      double rate = median(rates, second);
      say(
          "median   %-36s %,10.0f messages/s  %5.1f %%"
              .formatted(second.words, rate, 100 * rate / alone));
    }
    return 0;
  }

  private static double median(Map<Second, List<Double>> rates, Second second) {
    List<Double> sorted = rates.getOrDefault(second, List.of()).stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private double measure(Second second)
      throws IOException, InterruptedException, ConfigException, SinkException {
    try (HecServer good = new HecServer(HecSettings.withToken(TOKEN), events -> {});
        HecServer other = new HecServer(HecSettings.withToken(TOKEN), events -> {})) {
      good.faults().always(new HecFault.Slow(ANSWERS_AFTER));
      switch (second) {
        case NONE -> {}
        case SLOW -> other.faults().always(new HecFault.Slow(Duration.ofSeconds(1)));
        case HANGING -> other.faults().always(new HecFault.Hang(false));
        case REFUSING -> other.refuseConnections();
      }
      String urls =
          second == Second.NONE
              ? "\"" + good.uri() + "\""
              : "\"%s\", \"%s\"".formatted(other.uri(), good.uri());
      try (DrivenSink sink =
          new DrivenSink("urls: [%s]\ntoken: %s\n".formatted(urls, TOKEN), UNACCEPTED)) {
        run(sink, WARM_UP_SECONDS);
        long before = sink.accepted();
        long begun = System.nanoTime();
        run(sink, SECONDS);
        return (sink.accepted() - before) / ((System.nanoTime() - begun) / 1e9);
      }
    }
  }

  private static void run(DrivenSink sink, int duration) throws IOException, InterruptedException {
    MessageBatch batch = batch();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(duration);
    while (System.nanoTime() - end < 0) {
      boolean delivered = sink.deliver(batch, POLL_NANOS);
      if (!delivered && !sink.broken().isEmpty()) {
        throw new IOException(sink.broken());
      }
    }
  }

  private static MessageBatch batch() {
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      String text = "<13>Mar 14 15:09:26 web app[42]: message %d ".formatted(i);
      messages.add((text + "x".repeat(MESSAGE_BYTES - text.length())).getBytes(US_ASCII));
    }
    return DrivenSink.batch(messages);
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
  }
}
