package io.duplog.parts;

import java.util.List;

/** A Redis server that persists nothing, unless the arguments it is started with say otherwise. */
public final class Redis extends Part {
  private static final int PORT = 6379;

  private final String command;

  private Redis(List<String> arguments) {
    super("DUPLOG_REDIS_IMAGE");
    command =
        "redis-server --port %d --protected-mode no --save \"\" --appendonly no --dir /tmp %s"
            .formatted(PORT, String.join(" ", arguments));
  }

  /**
   * A new server.
   *
   * @param arguments of redis-server, such as --maxmemory 2mb; a later one overrides
   */
  public static Redis started(String... arguments) {
    Redis redis = new Redis(List.of(arguments));
    redis.start();
    return redis;
  }

  public int port() {
    return PORT;
  }

  /** Starts the server again, empty, with a new run_id, and waits until it takes connections. */
  public void start() {
    launch(command);
    awaitListening(PORT);
  }

  /** Shuts the server down. Its port refuses connections afterwards. */
  public void stop() {
    end("TERM");
  }

  /** Kills the server. Its port refuses connections afterwards. */
  public void kill() {
    end("KILL");
  }

  /** Runs redis-cli and returns what it prints, without the last line's end. */
  public String cli(String... arguments) {
    String[] line = new String[arguments.length + 1];
    line[0] = "redis-cli";
    System.arraycopy(arguments, 0, line, 1, arguments.length);
    return run(line).stripTrailing();
  }
}
