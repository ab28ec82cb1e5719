package io.duplog.benchmark.part;

import io.duplog.benchmark.lab.Folders;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Redis of the benchmark's own, set up as the lab's is: no persistence, and the eviction policy
 * that Duplog asks for. The lab itself starts whole deployments only. It ends with this process.
 */
final class PrivateRedis implements AutoCloseable {
  /** Below those that Linux gives to outgoing connections. */
  private static final int LOWEST_PORT = 18_000;

  private static final int PORT_BOUND = 32_000;
  private static final int ATTEMPTS = 20;
  private static final long READY_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long POLL_MILLIS = 20;

  private final int port;
  private final Process process;
  private final Path home;
  private final Thread hook = new Thread(this::end, "redis-end");

  private PrivateRedis(int port, Process process, Path home) {
    this.port = port;
    this.process = process;
    this.home = home;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Returns when it serves.
   *
   * @throws IOException if it is not installed, or does not serve
   */
  static PrivateRedis start() throws IOException, InterruptedException {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, PORT_BOUND);
      if (accepts(port)) {
        continue; // somebody else's
      }
      PrivateRedis redis = launch(port);
      if (redis.serves()) {
        return redis;
      }
      redis.close();
    }
    throw new IOException("redis-server does not serve on any of " + ATTEMPTS + " ports");
  }

  private static PrivateRedis launch(int port) throws IOException {
    Path home = Files.createTempDirectory("duplog-part-redis");
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                program().toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--dir",
                home.toString(),
                "--save",
                "",
                "--appendonly",
                "no",
                "--maxmemory",
                "256mb",
                "--maxmemory-policy",
                "volatile-lru"));
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.put("LANG", "C.UTF-8");
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("redis.log").toFile())
            .start();
    return new PrivateRedis(port, process, home);
  }

  /** Servers live in sbin, which an ordinary user's PATH may lack. */
  private static Path program() throws IOException {
    String path = System.getenv("PATH") + ":/usr/local/bin:/usr/bin:/usr/local/sbin:/usr/sbin";
    return Stream.of(path.split(File.pathSeparator))
        .map(folder -> Path.of(folder, "redis-server"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () -> new IOException("redis-server is not installed (deploy/demo installs it)"));
  }

  private boolean serves() throws InterruptedException {
    long deadline = System.nanoTime() + READY_WITHIN_NANOS;
    while (System.nanoTime() - deadline < 0) {
      if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        return false;
      }
      if (accepts(port)) {
        return process.isAlive();
      }
    }
    return false;
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    end();
  }

  private void end() {
    process.destroyForcibly();
    process.onExit().join();
    try {
      Folders.delete(home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
