package io.duplog.parts;

import java.util.List;

/** A Redis server that persists nothing, unless the arguments it is started with say otherwise. */
public final class Redis extends Part {
  private static final int PORT = 6379;
  private static final String LOCALES = "/tmp/locales";
  private static final String SMALL_LETTERS_FIRST = "small-letters-first";

  private final String command;

  private Redis(String variables, List<String> arguments) {
    super("DUPLOG_REDIS_IMAGE");
    command =
        "env %s redis-server --port %d --protected-mode no --save \"\" --appendonly no --dir /tmp %s"
            .formatted(variables, PORT, String.join(" ", arguments));
  }

  /**
   * A new server.
   *
   * @param arguments of redis-server, such as --maxmemory 2mb; a later one overrides
   */
  public static Redis started(String... arguments) {
    Redis redis = new Redis("", List.of(arguments));
    redis.start();
    return redis;
  }

  /**
   * A new server in surroundings where all small letters sort before all capitals, which is not how
   * their bytes do. Its scripts compare strings so.
   */
  public static Redis startedWithSmallLettersFirst() {
    Redis redis =
        new Redis("LOCPATH=%s LC_COLLATE=%s".formatted(LOCALES, SMALL_LETTERS_FIRST), List.of());
    redis.makeLocale();
    redis.start();
    return redis;
  }

  private void makeLocale() {
    StringBuilder characters =
        new StringBuilder("<code_set_name> BYTES\n<comment_char> %\n<escape_char> /\nCHARMAP\n");
    for (int each = 0; each < 128; each++) {
      characters.append("<U%04X> /x%02x\n".formatted(each, each));
    }
    write(LOCALES + "/characters", characters + "END CHARMAP\n");
    StringBuilder order = new StringBuilder("LC_COLLATE\norder_start forward\n");
    ("abcdefghijklmnopqrstuvwxyz" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        .chars()
        .forEach(letter -> order.append("<U%04X>\n".formatted(letter)));
    write(LOCALES + "/order", order + "order_end\nEND LC_COLLATE\n");
    // It complains of all that is not defined, and makes the rest.
    run(
        "sh",
        "-c",
        "cd %s && localedef -c -f ./characters -i ./order ./%s; test -s %2$s/LC_COLLATE"
            .formatted(LOCALES, SMALL_LETTERS_FIRST));
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
