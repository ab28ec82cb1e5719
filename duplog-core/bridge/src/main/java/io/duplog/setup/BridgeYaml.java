package io.duplog.setup;

import static java.util.stream.Collectors.joining;

import org.jspecify.annotations.Nullable;

/** Writes the bridges' configuration file {@code duplog.yaml} for {@code duplog init}. */
final class BridgeYaml {
  private static final String TLS =
      "tls: {ca: /etc/duplog/tls/ca.pem, certificate: /etc/duplog/tls/client.pem,"
          + " key: /etc/duplog/tls/client.key}";

  private BridgeYaml() {}

  static String text(Deployment deployment) {
    String streams =
        deployment.nodes().entrySet().stream()
            .map(node -> stream(node.getKey(), node.getValue(), deployment))
            .collect(joining());
    return """
        # /etc/duplog/duplog.yaml: the bridge. The file is the same on all bridges.
        #
        # Written by 'duplog init'. What is not here has its default; every key: man duplog.yaml

        name: ${hostname}

        streams:
        %s
        dedup:
          window: 10m                      # how far one stream may lag behind the other
          redis:
        %s
        sink:
        %s"""
        .formatted(streams, redis(deployment.redis(), deployment.tls()), sink(deployment.hec()));
  }

  private static String redis(Deployment.Redis redis, boolean tls) {
    String login =
        """
            user: duplog
            password: ${file:/etc/duplog/redis.password}
        """
            + (tls ? "    " + TLS + "\n" : "");
    if (!redis.hasReplicas()) {
      return "    host: \"%s\"\n    port: %d\n".formatted(redis.servers().get(0), redis.port(tls))
          + login;
    }
    return login
        + "    %s:\n      addresses: [%s]\n"
            .formatted(redis.isCluster() ? "cluster" : "sentinel", redis.addresses())
        + (redis.isCluster() ? "" : login.indent(2));
  }

  private static String stream(String name, String host, Deployment deployment) {
    return """
          - name: "%s"
            host: "%s"
            user: duplog-bridge
            password: ${file:/etc/duplog/rabbitmq.password}
        """
            .formatted(name, host)
        + (deployment.queues() > 1 ? "    queue-count: " + deployment.queues() + "\n" : "")
        + (deployment.tls() ? "    port: 5671\n    " + TLS + "\n" : "");
  }

  private static String sink(Deployment.@Nullable Hec hec) {
    if (hec == null) {
      return """
            type: file
            file:
              path: /var/log/duplog/merged.log
              fsync: always                  # what is acknowledged to a broker is on this disk
          """;
    }
    return """
          type: hec
          hec:
            urls: ["%s"]
            token: ${file:/etc/duplog/hec.token}
            routing:                       # sourcetypes for 80 products; own rules go before
              include: [/usr/share/duplog-bridge/rules/products.yaml]
        """
            .formatted(String.join("\", \"", hec.urls()))
        + (hec.ca() == null ? "" : "    tls: {ca: /etc/duplog/splunk-ca.pem}\n");
  }
}
