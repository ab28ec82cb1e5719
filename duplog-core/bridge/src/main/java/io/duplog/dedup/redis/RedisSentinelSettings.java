package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.net.HostAndPort;
import java.util.List;

/**
 * The sentinels that say which Redis is the master.
 *
 * @param addresses addresses of the sentinels, with their ports
 * @param master the master's name among the sentinels
 * @param login credentials for the sentinels
 */
public record RedisSentinelSettings(
    List<HostAndPort> addresses, String master, RedisSettings.Login login)
    implements RedisSettings.Place {

  @Override
  public String toString() {
    return "master '%s' of the sentinels %s"
        .formatted(master, addresses.stream().map(HostAndPort::toString).collect(joining(", ")));
  }
}
