package io.duplog.dedup.redis;

import io.duplog.parts.Redis;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A Redis for all tests of a class, which finds it empty before each. */
final class FlushedRedis implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private Redis server;

  @Override
  public void beforeAll(ExtensionContext context) {
    server = Redis.started();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    cli("flushall");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    server.close();
  }

  Redis server() {
    return server;
  }

  RedisSettings settings() {
    return BridgeLogin.at(server);
  }

  String cli(String... command) {
    return server.cli(command);
  }
}
