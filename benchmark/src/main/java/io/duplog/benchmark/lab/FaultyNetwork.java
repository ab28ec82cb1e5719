package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The wires between one bridge and all that it speaks with. Safe for any thread. */
public final class FaultyNetwork implements AutoCloseable {
  private static final String REDIS = "redis";
  private static final String HEC = "hec";

  private final BridgeProcess.Peers peers;
  private final Map<String, FaultyProxy> wires = new LinkedHashMap<>();

  /**
   * @param redisPort of the one Redis: several would name each other's own ports
   */
  FaultyNetwork(BridgeProcess.Peers peers, int redisPort, Ports ports) throws LabException {
    this.peers = peers;
    for (Map.Entry<String, Integer> broker : peers.brokers().entrySet()) {
      wires.put(broker.getKey(), new FaultyProxy(ports.next(), broker.getValue()));
    }
    wires.put(REDIS, new FaultyProxy(ports.next(), redisPort));
    if (peers.hec() != 0) {
      wires.put(HEC, new FaultyProxy(ports.next(), peers.hec()));
    }
  }

  /** Where the bridge has to connect. */
  BridgeProcess.Peers peers() {
    Map<String, Integer> brokers = new LinkedHashMap<>(peers.brokers());
    brokers.replaceAll((stream, port) -> to(stream).port());
    return new BridgeProcess.Peers(
        brokers, Store.One.settings(to(REDIS).port()), peers.hec() == 0 ? 0 : to(HEC).port());
  }

  /**
   * One wire.
   *
   * @param peer the stream of a broker, {@code redis}, or {@code hec} for the collector
   * @throws IllegalArgumentException if there is none, as where the bridge writes a file
   */
  public FaultyProxy to(String peer) {
    FaultyProxy wire = wires.get(peer);
    if (wire == null) {
      throw new IllegalArgumentException("no wire to " + peer);
    }
    return wire;
  }

  /** All wires. */
  public List<FaultyProxy> all() {
    return List.copyOf(wires.values());
  }

  /** Everything passes again. */
  public void mend() throws IOException {
    for (FaultyProxy wire : wires.values()) {
      wire.mend();
    }
  }

  @Override
  public void close() {
    wires.values().forEach(FaultyProxy::close);
  }
}
