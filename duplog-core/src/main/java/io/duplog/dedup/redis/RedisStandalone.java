package io.duplog.dedup.redis;

import redis.clients.jedis.HostAndPort;

/** The one server that there is. */
final class RedisStandalone implements RedisServers {
  private final RedisServer server;

  RedisStandalone(RedisSettings settings) {
    server = new RedisServer(settings, new HostAndPort(settings.host(), settings.port()));
  }

  @Override
  public RedisServer current() {
    return server;
  }

  @Override
  public void close() {
    server.close();
  }
}
