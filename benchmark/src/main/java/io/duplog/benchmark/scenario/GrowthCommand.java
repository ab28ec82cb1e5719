package io.duplog.benchmark.scenario;

import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.Tuning;
import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Workload;
import io.duplog.benchmark.report.Picture;
import io.duplog.benchmark.report.Picture.Bar;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioReport;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Whether a message costs the same when there is more of everything. */
@Command(
    name = "growth",
    description = {
      "What a copy costs as the work grows: Redis with 100,000 to 5,000,000 digests that no other"
          + " stream brings, and for a healthy pair; 1, 2 and 4 bridges; 2, 4 and 8 streams; 1, 2,"
          + " 4 and 8 queues a stream; 1, 2 and 4 workers a bridge.",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class GrowthCommand extends ScenarioCommand {
  static final String COPY = "µs a copy, all but generator";

  private static final int WINDOW_SECONDS = 10;
  private static final int HEALTHY_SECONDS = 30;
  private static final List<Integer> DIGESTS = List.of(100_000, 1_000_000, 5_000_000);
  private static final int MOST_DIGESTS = 20_000_000;

  /** Less than in duplog: eight brokers have to hold it. */
  private static final long UNDER_WAY = 100_000;

  @Option(
      names = "--maximum",
      description = "Also 20,000,000 digests, which takes some gigabytes of memory.")
  private boolean maximum;

  /** What a bridge has unless it is told otherwise. */
  private static final int WORKERS = 2;

  /**
   * So many of each.
   *
   * @param queues of each stream, shared out among the bridges where there are enough
   * @param workers of each bridge
   */
  private record Size(int streams, int bridges, int queues, int workers) {
    Size(int streams, int bridges) {
      this(streams, bridges, 1, WORKERS);
    }

    @Override
    public String toString() {
      return (queues == 1 ? "" : queues + " queues, ")
          + (workers == WORKERS ? "" : several(workers, "worker") + ", ")
          + "%d streams, ".formatted(streams)
          + several(bridges, "bridge");
    }

    private static String several(int number, String what) {
      return number + " " + what + (number == 1 ? "" : "s");
    }
  }

  private static final List<Size> SIZES =
      List.of(
          new Size(2, 1),
          new Size(2, 2),
          new Size(2, 4),
          new Size(4, 1),
          new Size(8, 1),
          new Size(2, 2, 2, WORKERS),
          new Size(2, 2, 4, WORKERS),
          new Size(2, 2, 8, WORKERS),
          new Size(2, 2, 1, 1),
          new Size(2, 2, 1, 4));

  @Override
  ScenarioReport measure(Bench bench) throws LabException, IOException, InterruptedException {
    RedisGrowth redis = new RedisGrowth(this::say);
    List<Run> runs = new ArrayList<>();
    if (wants("one stream dead")) {
      say("one stream dead");
      List<Integer> sizes = new ArrayList<>(DIGESTS);
      if (maximum) {
        sizes.add(MOST_DIGESTS);
      }
      runs.addAll(redis.unmatched(sizes));
    }
    if (wants("healthy pair")) {
      say("healthy pair");
      runs.addAll(redis.healthy(window(HEALTHY_SECONDS)));
    }
    for (Size size : SIZES) {
      measure(runs, size.toString(), () -> measured(bench, size));
    }
    return new ScenarioReport(
        "growth",
        "What a copy costs as the work grows. Redis: batches of digests are brought to the ledger"
            + " of a Redis of its own, without brokers, bridges and sink; memory is what Redis says"
            + " it uses, less what it used empty; its processor time is that between a row and the"
            + " one before it. Bridges, streams, queues and workers: the load of `duplog`, each"
            + " message once to every stream.",
        runs,
        List.of(),
        List.of(
            "Healthy pair: one stream is behind the other by 40,000 messages, which is a second's"
                + " at that rate. What grows with the time is the records of delivered batches,"
                + " which stay for a window: the last figure is after so long, as far as it can be"
                + " told from half a minute's messages, in batches of 500.",
            "The rate with more streams is of messages, each of which comes as often as there are"
                + " streams: the cost a copy is what compares."),
        GrowthCommand::pictures);
  }

  private Run measured(Bench bench, Size size)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.plain(seed());
    Run run =
        bench.measure(
            (folder, jars) ->
                new Lab(
                    LabPlan.pair(folder, jars)
                        .withStreams(names(size.streams()))
                        .withIngest(LabPlan.Ingest.STDIN)
                        .withSink(LabPlan.Sink.STDOUT)
                        .withBridges(size.bridges())
                        .withTuning(
                            Tuning.NONE
                                .withQueues(size.queues())
                                .withBridge("receive.workers", Integer.toString(size.workers())))),
            Messages.numbered(lines),
            (lab, delivered) ->
                new Workload(
                    lines, Pipes.sender(), new Flood(delivered, UNDER_WAY), Pipes.intoShims(lab)),
            (lab, measurement, load) ->
                measurement.run(
                    load, size.toString(), facts(size), warmUp(), window(WINDOW_SECONDS)));
    return run.withFigures(
        ImmutableMap.of(
            COPY,
            run.cpuMicrosWithoutGenerator() / size.streams(),
            "bridge µs a copy",
            a(run, "bridge", size.streams()),
            RedisGrowth.REDIS_A_COPY,
            a(run, "redis", size.streams())));
  }

  private static double a(Run run, String process, int copies) {
    return run.cpuMicros().getOrDefault(process, 0.0) / copies;
  }

  private static List<String> names(int streams) {
    return IntStream.range(0, streams).mapToObj(i -> "syslog-" + (char) ('a' + i)).toList();
  }

  private static Map<String, String> facts(Size size) {
    return ImmutableMap.of(
        "streams", Integer.toString(size.streams()),
        "bridges", Integer.toString(size.bridges()),
        "queues", Integer.toString(size.queues()),
        "workers", Integer.toString(size.workers()),
        "sink", "stdout");
  }

  private static List<Picture> pictures(List<Run> runs) {
    List<Run> unmatched = having(RedisGrowth.BYTES_A_DIGEST, runs);
    List<Run> sizes = having(COPY, runs);
    List<Picture> pictures = new ArrayList<>();
    if (!unmatched.isEmpty()) {
      pictures.add(
          bars(
              "growth-redis-cpu",
              "Redis's time in µs a copy",
              unmatched,
              RedisGrowth.REDIS_A_COPY));
      pictures.add(
          bars(
              "growth-redis-memory",
              "Redis's memory in bytes an unmatched digest",
              unmatched,
              RedisGrowth.BYTES_A_DIGEST));
    }
    if (!sizes.isEmpty()) {
      pictures.add(bars("growth-copies", "time in µs a copy, all but the generator", sizes, COPY));
      pictures.add(
          Picture.bars(
              "growth-rate",
              "messages a second through everything",
              sizes.stream().map(run -> new Bar(run.variant(), run.rate())).toList()));
    }
    return pictures;
  }

  private static List<Run> having(String figure, List<Run> runs) {
    return runs.stream().filter(run -> run.figures().containsKey(figure)).toList();
  }

  private static Picture bars(String name, String title, List<Run> runs, String figure) {
    return Picture.bars(
        name,
        title,
        runs.stream()
            .map(run -> new Bar(run.variant(), run.figures().getOrDefault(figure, 0.0)))
            .toList());
  }
}
