package io.duplog.benchmark.part;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Microbenchmark of what rules that drop or mask messages cost before the sink gets them. The sink
 * itself does nothing.
 */
@State(Scope.Benchmark)
public class RuleActions {
  private static final Map<String, String> RULES =
      Map.of(
          "none", "",
          "metadata", "{match: {program: [named]}, set: {index: network}}",
          "drop", "{match: {program: [named]}, drop: true}",
          "drops", "{match: {program: [app]}, drop: true}",
          "mask",
              "{match: {message: 'session'}, mask: [{pattern: 'port [a-z]+', replacement: x}]}");

  /**
   * The rules: {@code none}, one without an action, one that drops no message, one that drops all,
   * or one that masks some.
   */
  @Param({"none", "metadata", "drop", "drops", "mask"})
  public String rules = "none";

  private Sinks sinks;
  private DeliveryRequest delivery;

  @Setup
  public void prepare() throws ConfigException {
    RoutingConfig config =
        ConfigLoader.of(Map.of(), "host")
            .parse("part", "rules: [" + RULES.get(rules) + "]", RoutingConfig.class);
    sinks =
        new Sinks(
            List.of(
                new Sinks.Member(
                    "one", "stdout", Sink.SUBJECT, true, new NoSink(), new Routing(config))));
    delivery = new DeliveryRequests().ofSenders("", SampleBatch.messages(110));
  }

  @Benchmark
  @OperationsPerInvocation(SampleBatch.MESSAGES)
  public long filter() {
    sinks.deliver(delivery);
    return sinks.members().get(0).ruleCounts().dropped();
  }

  /** Accepts everything at once, and does nothing with it. */
  private static final class NoSink implements Sink {
    @Override
    public void deliver(DeliveryRequest request) {
      request.callback().accepted();
    }

    @Override
    public boolean isAvailable() {
      return true;
    }

    @Override
    public void withdraw() {}

    @Override
    public void close() {}
  }
}
