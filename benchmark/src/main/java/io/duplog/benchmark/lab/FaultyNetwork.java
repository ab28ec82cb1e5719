package io.duplog.benchmark.lab;

import io.duplog.benchmark.lab.proxy.FaultyProxy;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The TCP proxies through which one bridge of a lab connects to its servers, so that a test can cut
 * it off. Thread-safe.
 */
public final class FaultyNetwork implements AutoCloseable {
  private static final String REDIS = "redis";
  private static final String HEC = "hec";

  private final BridgeProcess.Peers peers;
  private final Map<String, FaultyProxy> proxies = new LinkedHashMap<>();

  /**
   * Starts a proxy for each server.
   *
   * @param redisPort port of a single Redis. Sentinels or a cluster would announce their own ports
   *     to the bridge, which bypass the proxies.
   */
  FaultyNetwork(BridgeProcess.Peers peers, int redisPort, Ports ports) throws LabException {
    this.peers = peers;
    for (Map.Entry<String, Integer> broker : peers.brokers().entrySet()) {
      proxies.put(broker.getKey(), new FaultyProxy(ports.next(), broker.getValue()));
    }
    proxies.put(REDIS, new FaultyProxy(ports.next(), redisPort));
    if (peers.hec() != 0) {
      proxies.put(HEC, new FaultyProxy(ports.next(), peers.hec()));
    }
  }

  /** Returns the same servers with the ports of their proxies, for the bridge's configuration. */
  BridgeProcess.Peers peers() {
    Map<String, Integer> brokers = new LinkedHashMap<>(peers.brokers());
    brokers.replaceAll((stream, port) -> to(stream).port());
    return new BridgeProcess.Peers(
        brokers,
        Store.SingleRedis.settings(to(REDIS).port()),
        peers.hec() == 0 ? 0 : to(HEC).port(),
        peers.secondSink());
  }

  /**
   * Returns the proxy in front of one server.
   *
   * @param peer the name of a broker's stream, {@code redis}, or {@code hec} for the collector
   * @throws NullPointerException if there is no such proxy
   */
  public FaultyProxy to(String peer) {
    return Objects.requireNonNull(proxies.get(peer), peer);
  }

  public List<FaultyProxy> allProxies() {
    return List.copyOf(proxies.values());
  }

  /** Ends the faults of all proxies, see {@link FaultyProxy#mend}. */
  public void mend() throws IOException {
    for (FaultyProxy proxy : proxies.values()) {
      proxy.mend();
    }
  }

  @Override
  public void close() {
    proxies.values().forEach(FaultyProxy::close);
  }
}
