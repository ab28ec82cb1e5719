package io.duplog.setup;

import static com.google.common.base.Preconditions.checkState;

import java.io.IOException;

/**
 * Writes the configuration of RabbitMQ, Redis and the shim for {@code duplog init}, from the files
 * in {@code deploy}.
 */
final class ServerFiles {
  private static final int SENTINEL_PORT = 26_379;

  private ServerFiles() {}

  /**
   * Returns RabbitMQ's configuration. With TLS, only connections from its own host, where the shim
   * is, may be unencrypted.
   */
  static String rabbitmq(boolean tls) throws IOException {
    String text = HostFolders.resource("rabbitmq/rabbitmq.conf");
    return !tls
        ? text
        : replaced(
            text,
            "listeners.tcp.default = 5672\n",
            """
            listeners.tcp.default = 127.0.0.1:5672
            listeners.ssl.default = 5671
            ssl_options.cacertfile = /etc/rabbitmq/tls/ca.pem
            ssl_options.certfile = /etc/rabbitmq/tls/broker.pem
            ssl_options.keyfile = /etc/rabbitmq/tls/broker.key
            ssl_options.versions.1 = tlsv1.3
            ssl_options.versions.2 = tlsv1.2
            ssl_options.verify = verify_peer
            ssl_options.fail_if_no_peer_cert = true
            """);
  }

  /**
   * Returns the configuration of one Redis server that depends on the options, in addition to
   * duplog.conf.
   */
  static String redis(Deployment.Redis redis, String host, boolean tls) throws IOException {
    StringBuilder text =
        new StringBuilder("# Written by 'duplog init': settings that depend on its options.\n");
    if (tls) {
      text.append(redisTls(redis.port(true)));
    }
    if (redis.hasReplicas()) {
      text.append('\n').append(HostFolders.resource("redis/replication.conf"));
    }
    if (!redis.sentinels().isEmpty()) {
      text.append("replica-announce-ip ").append(host).append('\n');
    }
    if (redis.isCluster()) {
      text.append('\n').append(HostFolders.resource("redis/cluster.conf"));
      text.append("cluster-announce-hostname ").append(host).append('\n');
      text.append(tls ? "tls-cluster yes\n" : "");
    }
    return text.toString();
  }

  /**
   * @param master the first master's host and port, separated by a space
   */
  static String sentinel(String master, String host, boolean tls) throws IOException {
    String text =
        HostFolders.resource("redis/sentinel.conf")
            .replace("@MASTER@", master)
            .replace("@HOST@", host);
    return tls ? replaced(text, "port 26379\n", redisTls(SENTINEL_PORT)) : text;
  }

  /** Returns the settings of a Redis server or a sentinel that accepts and uses only TLS. */
  private static String redisTls(int port) {
    return """
        port 0
        tls-port %d
        tls-cert-file /etc/redis/tls/redis.pem
        tls-key-file /etc/redis/tls/redis.key
        tls-ca-cert-file /etc/redis/tls/ca.pem
        tls-auth-clients yes
        tls-replication yes
        tls-protocols "TLSv1.2 TLSv1.3"
        """
        .formatted(port);
  }

  /**
   * Returns the shim's configuration.
   *
   * @param bulk whether the shim listens for rsyslog's requests
   */
  static String shim(String stream, int queues, boolean bulk) throws IOException {
    String text =
        replaced(
            HostFolders.resource("duplog-ingest.yaml"),
            "stream: syslog-a ",
            "stream: \"" + stream + "\" ");
    if (queues > 1) {
      text =
          replaced(text, "  queue: duplog\n", "  queue: duplog\n  queue-count: " + queues + "\n");
    }
    return bulk ? text + "\nlisten: {password: \"${file:/etc/duplog/listen.password}\"}\n" : text;
  }

  private static String replaced(String text, String old, String changed) {
    checkState(text.contains("\n" + old), "no line '%s'", old.strip());
    return text.replace("\n" + old, "\n" + changed);
  }
}
