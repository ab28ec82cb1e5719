package io.duplog.deliver.hec;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.duplog.config.ConfigException;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.deliver.hec.http.HttpConnection;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.Backoff;
import io.duplog.tls.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connections, clocks, random numbers and routing rules that the HEC sink uses, which tests
 * replace.
 *
 * @param connections opens a connection to the given URL
 * @param nanoClock a clock like {@link System#nanoTime}
 * @param wallMillis a clock like {@link System#currentTimeMillis}
 * @param random the source of jitter for pauses
 */
record HecEnvironment(
    Function<String, Connection> connections,
    LongSupplier nanoClock,
    LongSupplier wallMillis,
    RandomGenerator random,
    Routing routing) {

  Backoff backoff(Duration min, Duration max) {
    return new Backoff(min.toNanos(), max.toNanos(), random);
  }

  /**
   * Returns the system's clocks, with the configured connections and rules.
   *
   * @throws SinkException if a TLS file or a rules file can't be used
   */
  static HecEnvironment ofSystem(HecSinkConfig config) throws SinkException {
    try {
      return ofSystem(config, new Routing(config.routing()).open());
    } catch (ConfigException e) {
      throw notOpened(e);
    }
  }

  /**
   * Returns the system's clocks and the configured connections, with the given routing. Does not
   * read the routing's files.
   *
   * @throws SinkException if a TLS file can't be used
   */
  static HecEnvironment ofSystem(HecSinkConfig config, Routing routing) throws SinkException {
    // Unreadable files prevent the bridge from starting. Later they are reread when replaced.
    Tls tls = config.isEncrypted() ? Tls.ofClient("sink hec", config.tls()) : null;
    try {
      if (tls != null) {
        tls.context();
      }
      config.baseUrls().forEach(config::hop);
    } catch (IOException | IllegalArgumentException e) {
      throw notOpened(e);
    }
    ExecutorService executor =
        Executors.newCachedThreadPool(
            new ThreadFactoryBuilder().setNameFormat("hec-io").setDaemon(true).build());
    return new HecEnvironment(
        url -> connection(config, url, tls, executor),
        System::nanoTime,
        System::currentTimeMillis,
        RandomGenerator.getDefault(),
        routing);
  }

  private static SinkException notOpened(Exception e) {
    String lines = String.valueOf(e.getMessage()).replace("\n", "; ");
    return new SinkException("sink hec can't be opened: " + lines, e);
  }

  private static Connection connection(
      HecSinkConfig config, String url, @Nullable Tls tls, ExecutorService executor) {
    try {
      return new HttpConnection(
          url,
          config.token(),
          config.connectTimeout(),
          config.requestTimeout(),
          tls,
          config.hop(url),
          executor);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the files were read above
    }
  }
}
