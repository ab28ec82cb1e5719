package io.duplog.benchmark.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What scenarios would have written on a machine of two cores where everything costs exactly what
 * it does here: a copy 2 µs and 0.01 µs a byte in rsyslog, half of that in the shim, and so on.
 */
final class Recordings {
  private static final String FILE =
      """
      {"scenario": "%s", "machine": {"cores": "2", "cpu": "made up"}, "runs": [%s]}
      """;

  private Recordings() {}

  /** Files to learn from. */
  static void write(Path folder) throws IOException {
    file(
        folder,
        "sc4s",
        journey("sc4s", "one node, confirmed", 1, 800, 1),
        journey("sc4s", "pair, confirmed", 2, 800, 1),
        journey("sc4s", "pair, confirmed, loggen itself", 2, 800, 9),
        held("sc4s", "pair, confirmed, 1.0 cores", 800, 9));
    file(
        folder,
        "latency",
        paced("latency", "10 %", 340, 5, 0.1),
        paced("latency", "80 %", 340, 1, 0.9));
    file(
        folder,
        "duplog",
        bare("duplog", "sustained", 2),
        bare("duplog", "burst", 9),
        bare("duplog", "batches, durable", 2));
    file(folder, "data-prepper", clients("redundant", 2), clients("single path", 1));
    file(folder, "growth", GROWTH, bare("growth", "4 streams, 1 bridge", 4));
  }

  static void file(Path folder, String scenario, String... runs) throws IOException {
    Files.writeString(
        folder.resolve(scenario + ".json"), FILE.formatted(scenario, String.join(",\n", runs)));
  }

  /** As fast as it is taken, at all that the machine has. */
  static String journey(String scenario, String variant, int nodes, int bytes, double dearer) {
    double rate = 2e6 / (dearer * (servers(nodes, bytes) + generator(nodes, bytes)));
    return run(scenario, variant, nodes, bytes, dearer, rate, "all", "");
  }

  private static String held(String scenario, String variant, int bytes, double dearer) {
    double rate = 1e6 / (dearer * servers(2, bytes));
    return run(scenario, variant, 2, bytes, dearer, rate, "1.0", "");
  }

  private static String paced(
      String scenario, String variant, int bytes, double dearer, double busy) {
    double rate = busy * 2e6 / (dearer * (servers(2, bytes) + generator(2, bytes)));
    return run(scenario, variant, 2, bytes, dearer, rate, "all", "\"latency_ms\": {\"avg\": 9},");
  }

  private static double generator(int copies, int bytes) {
    return copies * (0.5 + 0.001 * bytes);
  }

  private static double servers(int copies, int bytes) {
    return copies * (2 + 0.01 * bytes) * 1.75 + redis(copies) + bridge(copies, bytes) + sink(bytes);
  }

  private static double redis(int copies) {
    return copies * 2.0 + (copies == 1 ? 3 : 0);
  }

  private static double bridge(int copies, int bytes) {
    return copies * (1 + 0.002 * bytes) + 3 + 0.004 * bytes;
  }

  private static double sink(int bytes) {
    return 1 + 0.005 * bytes;
  }

  private static String run(
      String scenario,
      String variant,
      int nodes,
      int bytes,
      double dearer,
      double rate,
      String cores,
      String latency) {
    double path = nodes * (2 + 0.01 * bytes) * dearer;
    return String.format(
        Locale.ROOT,
        """
        {"scenario": "%s", "variant": "%s", "sent": %d, "copies": %d, "rate": %f, %s
         "cpu_us_per_message": {"generator": %f, "rsyslog": %f, "shim": %f, "broker": %f,
           "redis": %f, "bridge": %f, "sink": %f},
         "resident_bytes": {"rsyslog": %d, "shim": %d, "broker": %d, "bridge": %d},
         "configuration": {"ingest nodes": "%d", "bridges": "%d", "omprog": "confirmed",
           "sink": "HEC stand-in", "cores": "%s", "message": "%d bytes"}}
        """,
        scenario,
        variant,
        1000,
        1000 * nodes,
        rate,
        latency,
        generator(nodes, bytes) * dearer,
        path,
        path / 2,
        path / 4,
        redis(nodes) * dearer,
        bridge(nodes, bytes) * dearer,
        sink(bytes) * dearer,
        nodes * 10_000_000,
        nodes * 20_000_000,
        nodes * 30_000_000,
        nodes * 40_000_000,
        nodes,
        nodes,
        cores,
        bytes);
  }

  private static String bare(String scenario, String variant, int streams) {
    return String.format(
        Locale.ROOT,
        """
        {"scenario": "%s", "variant": "%s", "sent": 5000, "copies": %d, "rate": 100000,
         "cpu_us_per_message": {"broker": %f, "redis": %f, "bridge": 99, "shim": 99},
         "resident_bytes": {}, "configuration": {"sink": "stdout", "message": "110 bytes"}}
        """,
        scenario,
        variant,
        5000 * streams,
        streams * (2 + 1.1) / 4,
        redis(streams));
  }

  private static String clients(String variant, int paths) {
    return String.format(
        Locale.ROOT,
        """
        {"scenario": "data-prepper", "variant": "%s", "sent": 500, "copies": %d, "rate": 10000,
         "latency_ms": {"avg": 9},
         "cpu_us_per_message": {"broker": 99, "shim": 99, "redis": %f, "bridge": %f, "sink": %f},
         "resident_bytes": {}, "configuration": {"sink": "hec", "message": "250 bytes"}}
        """,
        variant,
        500 * paths,
        redis(paths),
        bridge(paths, 250),
        sink(250));
  }

  /** Empty 1 MB; a record of 0.5 B a message, seen for half a minute of a window of ten. */
  private static final String GROWTH =
      """
      {"scenario": "growth", "variant": "one stream dead, 100,000 digests",
       "sent": 100000, "copies": 100000, "rate": 1, "cpu_us_per_message": {}, "resident_bytes": {},
       "figures": {"bytes a digest": 90, "Redis MB": 10.0}, "configuration": {"window": "10 min"}},
      {"scenario": "growth", "variant": "one stream dead, 1,000,000 digests",
       "sent": 900000, "copies": 900000, "rate": 1, "cpu_us_per_message": {}, "resident_bytes": {},
       "figures": {"bytes a digest": 80, "Redis MB": 81.0}, "configuration": {"window": "10 min"}},
      {"scenario": "growth", "variant": "healthy pair, 40,000/s, 1 s of lag",
       "sent": 1200000, "copies": 2400000, "rate": 1, "cpu_us_per_message": {},
       "resident_bytes": {}, "figures": {"Redis MB": 5.0, "Redis MB after a whole window": 16.4},
       "configuration": {"window": "10 min"}}
      """;
}
