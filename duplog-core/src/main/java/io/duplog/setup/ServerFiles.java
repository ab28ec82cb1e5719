package io.duplog.setup;

import static com.google.common.base.Preconditions.checkState;

import java.io.IOException;

/** Configuration of RabbitMQ, Redis and the shim: the files of the folder deploy, with changes. */
final class ServerFiles {
  private ServerFiles() {}

  /** Returns RabbitMQ's. With TLS its own host alone, where the shim is, may do without. */
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

  static String redis(boolean tls) throws IOException {
    String text = HostFolders.resource("redis/duplog.conf");
    return !tls
        ? text
        : replaced(
            text,
            "port 6379\n",
            """
            port 0
            tls-port 6380
            tls-cert-file /etc/redis/tls/redis.pem
            tls-key-file /etc/redis/tls/redis.key
            tls-ca-cert-file /etc/redis/tls/ca.pem
            tls-auth-clients yes
            tls-protocols "TLSv1.2 TLSv1.3"
            """);
  }

  /** Returns the shim's, which listens if rsyslog is to hand over a transaction at a time. */
  static String shim(String stream, boolean bulk) throws IOException {
    String text =
        replaced(
            HostFolders.resource("duplog-ingest.yaml"),
            "stream: syslog-a ",
            "stream: \"" + stream + "\" ");
    return bulk ? text + "\nlisten: {password: \"${file:/etc/duplog/listen.password}\"}\n" : text;
  }

  private static String replaced(String text, String old, String changed) {
    checkState(text.contains("\n" + old), "no line '%s'", old.strip());
    return text.replace("\n" + old, "\n" + changed);
  }
}
