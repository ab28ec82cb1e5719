package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The wires between one bridge and all that it speaks with. Safe for any thread. */
public final class FaultyNetwork implements AutoCloseable {
  private final Map<String, FaultyProxy> brokers;
  private final FaultyProxy redis;
  private final @Nullable FaultyProxy hec;

  private FaultyNetwork(
      Map<String, FaultyProxy> brokers, FaultyProxy redis, @Nullable FaultyProxy hec) {
    this.brokers = brokers;
    this.redis = redis;
    this.hec = hec;
  }

  /**
   * @param redisPort of the one Redis: several would name each other's own ports
   */
  static FaultyNetwork between(BridgeProcess.Peers peers, int redisPort, Ports ports)
      throws LabException {
    Map<String, FaultyProxy> brokers = new LinkedHashMap<>();
    for (Map.Entry<String, Integer> broker : peers.brokers().entrySet()) {
      brokers.put(broker.getKey(), new FaultyProxy(ports.next(), broker.getValue()));
    }
    return new FaultyNetwork(
        brokers,
        new FaultyProxy(ports.next(), redisPort),
        peers.hec() == 0 ? null : new FaultyProxy(ports.next(), peers.hec()));
  }

  /** Where the bridge has to connect. */
  BridgeProcess.Peers peers() {
    Map<String, Integer> ports = new LinkedHashMap<>();
    brokers.forEach((stream, proxy) -> ports.put(stream, proxy.port()));
    return new BridgeProcess.Peers(
        ports, Store.One.settings(redis.port()), hec == null ? 0 : hec.port());
  }

  /** The wire to the broker of a stream. */
  public FaultyProxy toBroker(String stream) {
    FaultyProxy proxy = brokers.get(stream);
    if (proxy == null) {
      throw new IllegalArgumentException("no stream " + stream);
    }
    return proxy;
  }

  public FaultyProxy toRedis() {
    return redis;
  }

  /**
   * The wire to the collector.
   *
   * @throws IllegalStateException if the bridge writes a file
   */
  public FaultyProxy toHec() {
    if (hec == null) {
      throw new IllegalStateException("this lab has no HEC");
    }
    return hec;
  }

  /** All wires. */
  public List<FaultyProxy> all() {
    List<FaultyProxy> all = new ArrayList<>(brokers.values());
    all.add(redis);
    if (hec != null) {
      all.add(hec);
    }
    return all;
  }

  /** Everything passes again. */
  public void mend() throws IOException {
    for (FaultyProxy proxy : all()) {
      proxy.mend();
    }
  }

  @Override
  public void close() {
    all().forEach(FaultyProxy::close);
  }
}
