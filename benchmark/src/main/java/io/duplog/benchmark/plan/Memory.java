package io.duplog.benchmark.plan;

import java.util.Locale;

/** What is known of memory: bytes, each. */
enum Memory {
  REDIS_EMPTY("Redis without digests"),
  REDIS_DIGEST("a digest that waits in Redis for its other copies"),
  REDIS_RECORD("a message's part of the record of its batch in Redis"),
  RSYSLOG_PROCESS("an rsyslog under full load"),
  SHIM_PROCESS("a shim under full load"),
  BROKER_PROCESS("a broker under full load, without a backlog"),
  BRIDGE_PROCESS("a bridge under full load");

  private final String what;

  Memory(String what) {
    this.what = what;
  }

  String what() {
    return what;
  }

  /** As it is called in a file. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
