package io.duplog.parts;

import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Redis servers of several hosts, all in one container, set up by the commands of a page of {@code
 * docs}: with what Debian configures, and the files of {@code deploy/redis}.
 */
public abstract class GuidedRedis extends Part {
  private static final String CHECKOUT = "/root/checkout";

  private final String page;

  /** All hosts of a page, the workstation among them, before the first command. */
  GuidedRedis(String page) {
    super("DUPLOG_REDIS_IMAGE");
    this.page = page;
    // What is installed here, and runs, is up to the test.
    for (String command : List.of("apt-get", "systemctl")) {
      program(command, "exit 0");
    }
    program("scp", "mkdir -p \"${3#*:}\" && cp -r \"$2\"/. \"${3#*:}\"");
    copyIn(Deployed.path("redis"), CHECKOUT + "/deploy/redis");
    write("/root/duplog-pair/redis/redis.sha256", Redis.sha256(Redis.PASSWORD));
    write("/root/duplog-pair/redis/operator.sha256", Redis.sha256("of nobody"));
  }

  private void program(String name, String text) {
    write("/usr/local/bin/" + name, "#!/bin/sh\n" + text + "\n");
    run("chmod", "755", "/usr/local/bin/" + name);
  }

  /** What the page says that is to be done at a place. */
  final String commands(String place) {
    return Deployed.commands(page, place);
  }

  /** Runs commands in the checkout, up to the first one that fails. */
  final void shell(String commands) {
    run("sh", "-ec", "cd " + CHECKOUT + "\n" + commands);
  }

  /** For {@link #cli}. */
  final void admitTester(String users) {
    shell(
        "echo 'user %s on >%s ~* &* +@all' >>%s"
            .formatted(Redis.TESTER, Redis.TESTERS_PASSWORD, users));
  }

  /** Starts a server in the background. */
  final void launchRedis(String file, String portOption, int port, String... options) {
    String folder = folder(port);
    shell(
        "mkdir -p %s; redis-server %s %s %d --dir %1$s --pidfile %s --logfile '' --daemonize yes %s"
            .formatted(folder, file, portOption, port, pidFile(port), String.join(" ", options)));
    awaitListening(port);
  }

  /** In memory: a node of a cluster writes, and waits for the disk, at each change of it. */
  private static String folder(int port) {
    return "/dev/shm/" + port;
  }

  private static String pidFile(int port) {
    return folder(port) + ".pid";
  }

  /** Kills a server, and returns at once. */
  final void killRedis(int port) {
    shell("kill -KILL $(cat %s)".formatted(pidFile(port)));
  }

  /** What redis-cli prints, asked as somebody who may do everything. */
  final String cli(int port, String... arguments) {
    List<String> line = new ArrayList<>(client(port));
    line.addAll(List.of(arguments));
    return run(line.toArray(String[]::new)).stripTrailing();
  }

  /** A server that does not answer is asked again. */
  static void awaitThat(String what, Callable<Boolean> isSo) {
    await(what)
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IllegalStateException.class)
        .until(isSo);
  }

  /** How redis-cli is called for that. */
  List<String> client(int port) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("redis-cli", "-p", Integer.toString(port), "--no-auth-warning"));
    line.addAll(List.of("--user", Redis.TESTER, "--pass", Redis.TESTERS_PASSWORD));
    return line;
  }
}
