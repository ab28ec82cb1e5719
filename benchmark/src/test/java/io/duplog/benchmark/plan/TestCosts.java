package io.duplog.benchmark.plan;

import io.duplog.benchmark.plan.Costs.Cost;
import io.duplog.benchmark.plan.Costs.Figure;
import io.duplog.benchmark.plan.Costs.Point;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table with round numbers: a copy costs 2 µs and 0.01 µs a byte in rsyslog, half of that in the
 * shim, a quarter in the broker, 2 in Redis and 3 more where it stays.
 */
final class TestCosts {
  static final Costs COSTS =
      new Costs(
          Map.of("cores", "2", "cpu", "made up"),
          1,
          Map.of(
              "rsyslog", new Cost(line(2, 0.01), List.of(), 0),
              "shim", new Cost(line(1, 0.005), List.of(), 0),
              "broker", new Cost(line(0.5, 0.0025), List.of(), 0),
              "redis", new Cost(List.of(new Point(100, 2, "x: y")), List.of(), 3),
              "bridge", new Cost(line(1, 0.002), line(3, 0.004), 0),
              "sink", new Cost(List.of(), line(1, 0.005), 0),
              "generator", new Cost(line(0.5, 0.001), List.of(), 0)),
          Stream.of(
                  "redis_empty 1e6",
                  "redis_digest 90",
                  "redis_record 0.5",
                  "rsyslog_process 1e7",
                  "shim_process 2e7",
                  "broker_process 3e7",
                  "bridge_process 4e7")
              .map(each -> each.split(" ", -1))
              .collect(
                  Collectors.toMap(
                      each -> each[0], each -> new Figure(Double.parseDouble(each[1]), "x: y"))),
          List.of("peers: learned, 1000 sent"));

  private TestCosts() {}

  private static List<Point> line(double at0, double aByte) {
    return List.of(
        new Point(100, at0 + 100 * aByte, "x: small"), new Point(800, at0 + 800 * aByte, "x: y"));
  }

  static Demand pair(double rate, int size) {
    return new Demand(rate, size, 2, 0, 1, 600, 1, 3600);
  }
}
