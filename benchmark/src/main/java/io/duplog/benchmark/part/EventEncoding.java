package io.duplog.benchmark.part;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.hec.event.Body;
import io.duplog.deliver.hec.event.EventEncoder;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** From kept messages to a request's body for HEC: header, route and JSON. */
@State(Scope.Benchmark)
public class EventEncoding {
  private static final String SECTION =
      """
      urls: ["http://127.0.0.1:8088"]
      token: none
      routing:
        time-zone: UTC
        rules:
          - match: {program: [named, "dhcp*"]}
            set: {index: network}
      """;

  /** Length of each message. */
  @Param({"110", "800"})
  public int bytes;

  private final Body body = new Body(1_000_000);
  private EventEncoder encoder;
  private DeliveryRequest delivery;

  @Setup
  public void prepare() throws ConfigException {
    RoutingConfig routing =
        ConfigLoader.of(Map.of(), "host").parse("part", SECTION, HecSinkConfig.class).routing();
    encoder = new EventEncoder(new Routing(routing), null);
    MessageBatch batch = SampleBatch.decoded(bytes);
    BitSet all = new BitSet();
    all.set(0, batch.count());
    delivery =
        new DeliveryRequest(
            "syslog-a", batch, all, DeliveryRequest.Passage.KEPT, 0, index -> "", new NoOutcome());
  }

  @Benchmark
  @OperationsPerInvocation(SampleBatch.MESSAGES)
  public int event() {
    body.clear();
    for (int i = 0; i < SampleBatch.MESSAGES; i++) {
      encoder.add(delivery, i, false, body);
    }
    return body.length();
  }

  /** Encoding alone decides nothing. */
  private static final class NoOutcome implements DeliveryRequest.Callback {
    @Override
    public void accepted() {}

    @Override
    public void withdrawn() {}

    @Override
    public void refused(int message, String reason, Runnable kept) {}
  }
}
