package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.net.HostAndPort;
import io.duplog.tls.Tls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who says which Redis is the master.
 *
 * @param addresses of the sentinels, with their ports
 * @param master what the sentinels call it
 * @param user the ACL user at the sentinels; null for the default one
 * @param password null where none is needed
 * @param tls null where the sentinels are spoken to in plain text
 */
public record RedisSentinelSettings(
    List<HostAndPort> addresses,
    String master,
    @Nullable String user,
    @Nullable String password,
    @Nullable Tls tls) {

  public RedisSentinelSettings {
    addresses = List.copyOf(addresses);
  }

  @Override
  public String toString() {
    return "master '%s' of the sentinels %s"
        .formatted(master, addresses.stream().map(HostAndPort::toString).collect(joining(", ")));
  }
}
