package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.net.HostAndPort;
import java.util.List;

/**
 * A cluster, and into how many parts the ledger is divided among its servers.
 *
 * @param addresses of nodes, with their ports; one that answers suffices to find the others
 * @param parts as many as each stream has queues: a message's queue is its part
 */
public record RedisClusterSettings(List<HostAndPort> addresses, int parts) {

  public RedisClusterSettings {
    addresses = List.copyOf(addresses);
  }

  @Override
  public String toString() {
    return "cluster of " + addresses.stream().map(HostAndPort::toString).collect(joining(", "));
  }
}
