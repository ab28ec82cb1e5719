package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.net.HostAndPort;
import java.util.List;

/**
 * Who says which Redis is the master.
 *
 * @param addresses of the sentinels, with their ports
 * @param master what the sentinels call it
 * @param login at the sentinels
 */
public record RedisSentinelSettings(
    List<HostAndPort> addresses, String master, RedisSettings.Login login)
    implements RedisSettings.Place {

  public RedisSentinelSettings {
    addresses = List.copyOf(addresses);
  }

  @Override
  public String toString() {
    return "master '%s' of the sentinels %s"
        .formatted(master, addresses.stream().map(HostAndPort::toString).collect(joining(", ")));
  }
}
