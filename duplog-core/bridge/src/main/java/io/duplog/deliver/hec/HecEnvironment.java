package io.duplog.deliver.hec;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.duplog.config.ConfigException;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.deliver.hec.http.HttpConnection;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.Backoff;
import io.duplog.observe.Trouble;
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
import org.slf4j.Logger;

/**
 * The connections, clocks, random numbers, routing rules and the board of conditions that the HEC
 * sink uses, which tests replace.
 *
 * @param connections opens a connection to the given URL
 * @param context where the sink shows what is wrong; it has the clocks
 * @param random the source of jitter for pauses
 */
record HecEnvironment(
    Function<String, Connection> connections,
    SinkContext context,
    RandomGenerator random,
    Routing routing) {

  LongSupplier nanoClock() {
    return context.board().nanoClock();
  }

  LongSupplier wallMillis() {
    return context.board().wallMillis();
  }

  /** Creates a trouble of the sink. */
  Trouble trouble(Logger log, String name) {
    return context.trouble(log, name);
  }

  Backoff backoff(Duration min, Duration max) {
    return new Backoff(min.toNanos(), max.toNanos(), random);
  }

  /**
   * Returns the configured connections and rules.
   *
   * @throws SinkException if a TLS file or a rules file can't be used
   */
  static HecEnvironment ofSystem(HecSinkConfig config, SinkContext context) throws SinkException {
    try {
      return ofSystem(config, new Routing(config.routing()).open(), context);
    } catch (ConfigException e) {
      throw notOpened(e);
    }
  }

  /**
   * Returns the configured connections, with the given routing. Does not read the routing's files.
   *
   * @throws SinkException if a TLS file can't be used
   */
  static HecEnvironment ofSystem(HecSinkConfig config, Routing routing, SinkContext context)
      throws SinkException {
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
        context,
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
