package io.duplog.bridge.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.doctor.ResourceCheck;
import io.duplog.doctor.Told;
import io.duplog.parts.Deployed;
import io.duplog.process.ProcessLimits;
import io.duplog.process.ResourceDemand;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a bridge's estimated threads, files and memory are right, and that the limits of the
 * shipped packages allow them.
 */
class BridgeDemandTest {
  private static final long MIB = 1 << 20;

  /** The figures were counted in bridges that were connected, each stream with its own broker. */
  @ParameterizedTest
  @CsvSource({
    "2,  1, 0, 4,  2,   41",
    "2, 64, 0, 4,  2,  296",
    "8, 12, 0, 4,  2,  256",
    "3, 32, 0, 4,  2,  236",
    "2,  1, 8, 64, 2, 1065",
  })
  void threads_areNotFewerThanCounted_norManyMore(
      int streams, int queues, int urls, int requests, int workers, int counted)
      throws ConfigException {
    ResourceDemand demand = BridgeDemand.of(config(streams, queues, urls, requests, workers, ""));

    assertThat(demand.threads()).isBetween((long) counted, counted + 48L);
    assertThat(demand.mostThreads()).isGreaterThan(demand.threads());
  }

  /** A bridge that is within the documented bounds never meets a limit of the package's unit. */
  @Test
  void unitOfThePackage_sufficesForEveryBound() throws ConfigException {
    ProcessLimits unit = packaged();

    assertThat(told(config(8, 64, 8, 64, 256, ""), unit))
        .singleElement()
        .asString()
        .startsWith("WARNING | the configuration's limits add up to ")
        .contains("MiB of heap, but Java has 512 MiB | if they are reached, the bridge runs out");
    assertThat(told(config(8, 64, 0, 4, 64, ""), unit))
        .singleElement()
        .asString()
        .startsWith("OK | the limits of the package allow the ");
  }

  @Test
  void defaults_fitIntoThePackageAndTheChart() throws ConfigException {
    ProcessLimits chart =
        new ProcessLimits("the chart", ProcessLimits.NONE, 1 << 20, 512 * MIB, 307 * MIB);

    for (ProcessLimits limits : List.of(packaged(), chart)) {
      assertThat(told(config(2, 1, 2, 4, 2, ""), limits)).singleElement().asString().contains("OK");
    }
    assertThat(told(config(8, 64, 0, 4, 2, ""), chart))
        .singleElement()
        .asString()
        .contains("WARNING | with 307 MiB of heap", " may have only 512 MiB | the system kills it");
  }

  @Test
  void kafka_needsItsProducersMemoryAndThreads() throws ConfigException {
    String yaml = yaml(2, 1, 0, 4, 2, "");
    ResourceDemand without = BridgeDemand.of(parse(yaml));
    ResourceDemand with =
        BridgeDemand.of(
            parse(
                yaml.replace("{type: stdout}", "{type: kafka, kafka: {servers: [k], topic: t}}")));
    assertThat(with.threads()).isEqualTo(without.threads() + 2);
    assertThat(with.heapBytes()).isEqualTo(without.heapBytes() + 32 * MIB);
  }

  @Test
  void tooFewThreads_isAProblem_orAWarningIfOnlyAtTimes() throws ConfigException {
    BridgeConfig config = config(2, 64, 0, 4, 2, "");

    assertThat(told(config, limits(256, 1 << 20, 512)))
        .singleElement()
        .asString()
        .startsWith("PROBLEM | the bridge needs ")
        .contains("threads, but it may have only 256 | Java can't start")
        .contains("TasksMax", "queue-count");
    assertThat(told(config, limits(400, 1 << 20, 512)))
        .singleElement()
        .asString()
        .startsWith("WARNING | the bridge has ")
        .contains(
            "but it may have only 400 | if a broker or collector is lost, the bridge may run out of threads");
  }

  @Test
  void tooFewFiles_isAWarning() throws ConfigException {
    assertThat(told(config(8, 64, 0, 4, 2, ""), limits(8192, 1024, 512)))
        .singleElement()
        .asString()
        .startsWith("WARNING | the bridge may need ")
        .contains("files and connections, but it may open only 1,024", "LimitNOFILE");
  }

  /** Each of these values alone fills a heap of 512 MiB. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | 4  | 2   | 64MiB | ''",
        "8 | 64 | 2   | 1000000B | ''",
        "0 | 4  | 256 | 1000000B | 'coverage: {inventory: 100000}'",
        "0 | 4  | 2   | 1000000B | 'receive: {prefetch-bytes: 512MiB}'",
        "0 | 4  | 2   | 1000000B | 'dedup: {when-unavailable: local, local-limit: 5000000}'",
        "0 | 4  | 2   | 1000000B | 'dedup: {store: memory, memory: {max-digests: 5000000}}'",
      })
  void boundsThatExceedTheHeap_areAWarning(
      int urls, int requests, int workers, String maxBytes, String more) throws ConfigException {
    String yaml = yaml(2, 1, urls, requests, workers, more).replace("1000000B", maxBytes);

    assertThat(told(parse(yaml), limits(8192, 1 << 20, 512)))
        .singleElement()
        .asString()
        .startsWith("WARNING | the configuration's limits add up to ");
  }

  private static ProcessLimits limits(long threads, long files, long heapMebibytes) {
    return new ProcessLimits("it", threads, files, ProcessLimits.NONE, heapMebibytes * MIB);
  }

  private static ProcessLimits packaged() {
    String unit = Deployed.text("debian/bridge/files/duplog-bridge.service");
    String script = Deployed.text("debian/bridge/files/duplog");
    assertThat(script).contains("-Xmx512m", "\"-Dduplog.bridge-options=$BRIDGE_JAVA_OPTS\"");
    assertThat(unit).contains("MemoryMax=1G\n");
    Matcher tasks = Pattern.compile("(?m)^TasksMax=(\\d+)$").matcher(unit);
    assertThat(tasks.find()).isTrue();
    // systemd's own limit of files
    return new ProcessLimits(
        "the package", Long.parseLong(tasks.group(1)), 524_288, 1024 * MIB, 512 * MIB);
  }

  private static List<String> told(BridgeConfig config, ProcessLimits limits) {
    return Told.by(new ResourceCheck(BridgeDemand.of(config), limits)::examine);
  }

  private static BridgeConfig config(
      int streams, int queues, int urls, int requests, int workers, String more)
      throws ConfigException {
    return parse(yaml(streams, queues, urls, requests, workers, more));
  }

  private static String yaml(
      int streams, int queues, int urls, int requests, int workers, String more) {
    String hec =
        "sink: {type: hec, hec: {token: t, max-bytes: 1000000B, requests-per-url: %d, urls: [%s]}}"
            .formatted(
                requests,
                IntStream.range(0, urls)
                    .mapToObj("http://splunk-%d:8088"::formatted)
                    .collect(Collectors.joining(",")));
    String receive = more.startsWith("receive:") ? "" : "receive: {workers: " + workers + "}";
    return """
    streams:
    %s
    %s
    %s
    %s
    """
        .formatted(
            IntStream.range(0, streams)
                .mapToObj(n -> "  - {name: s%d, host: h%1$d, queue-count: %d}".formatted(n, queues))
                .collect(Collectors.joining("\n")),
            receive,
            more,
            urls == 0 ? "sink: {type: stdout}" : hec);
  }

  private static BridgeConfig parse(String yaml) throws ConfigException {
    return ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, BridgeConfig.class);
  }
}
