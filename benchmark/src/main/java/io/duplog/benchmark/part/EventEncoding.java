package io.duplog.benchmark.part;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.Resources;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.hec.event.Body;
import io.duplog.deliver.hec.event.EventEncoder;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Microbenchmark of how fast messages are encoded as a HEC request: syslog header, routing and
 * JSON.
 */
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

  /** Length of each message in bytes. */
  @Param({"110", "800"})
  public int bytes;

  /** Routing rules: {@code one} rule, or {@code products} for that rule and the shipped rules. */
  @Param({"one", "products"})
  public String rules = "one";

  private final Body body = new Body(1_000_000);
  private EventEncoder encoder;
  private DeliveryRequest delivery;

  @Setup
  public void prepare() throws ConfigException, IOException {
    String section = SECTION;
    if (rules.equals("products")) {
      Path file = Files.createTempFile("products", ".yaml");
      file.toFile().deleteOnExit();
      URL shipped = Resources.getResource(EventEncoding.class, "products.yaml");
      Files.writeString(file, Resources.toString(shipped, UTF_8));
      section += "  include: [" + file + "]\n";
    }
    RoutingConfig routing =
        ConfigLoader.of(Map.of(), "host").parse("part", section, HecSinkConfig.class).routing();
    encoder = new EventEncoder(new Routing(routing).open(), null);
    delivery = new DeliveryRequests().ofSenders("", SampleBatch.messages(bytes));
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
}
