package io.duplog.deliver.kafka;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import io.duplog.deliver.Payload;
import io.duplog.tls.TlsConfig;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.jspecify.annotations.Nullable;

/** The configuration section {@code sink.kafka}, which names the cluster and the topic. */
public record KafkaSinkConfig(
    @Key(
            doc = "Some brokers of the cluster, as host:port; the default port is 9092.",
            example = "kafka-1.example.com:9092, kafka-2.example.com:9092")
        List<String> servers,
    @Key(
            doc =
                "The topic that gets all messages, unless a rule sets another one. Create it first,"
                    + " with min.insync.replicas of at least 2.",
            example = "syslog")
        String topic,
    @Key(doc = "How batches are compressed.", defaultValue = "none") Compression compression,
    @Key(
            doc =
                "Turns on TLS, even if the section is empty ({}). You may replace each file at any"
                    + " time, without a restart.",
            whereWanted = true)
        @Nullable TlsConfig tls,
    @Key(doc = "User name. Turns on SASL.", example = "duplog") @Nullable String user,
    @Key(
            doc = "Password of the user; prefer ${file:/path} to the literal password.",
            example = "${file:/etc/duplog/kafka.password}")
        @Nullable Secret password,
    @Key(doc = "How the user logs in.", defaultValue = "scram-sha-512") Mechanism mechanism) {
  private static final int PORT = 9092;

  /** Memory of the producer, in which records wait for the network, in bytes. */
  public static final long PRODUCER_BYTES = 32L << 20;

  /**
   * The largest request in bytes. The topic's own limit is usually lower, and decides which
   * messages are refused.
   */
  private static final int MAX_REQUEST_BYTES = 16 << 20;

  /** Time for which a record may wait for metadata or memory, in milliseconds. */
  private static final int MAX_BLOCK_MILLIS = 5_000;

  private static final int LINGER_MILLIS = 5;
  private static final int BATCH_BYTES = 64 << 10;
  private static final int MAX_RECONNECT_MILLIS = 2_000;

  /** The compression of batches. */
  public enum Compression {
    NONE,
    GZIP,
    ZSTD
  }

  /** The way in which a user logs in (SASL). */
  public enum Mechanism {
    PLAIN("PLAIN", "plain.Plain"),
    SCRAM_SHA_256("SCRAM-SHA-256", "scram.Scram"),
    SCRAM_SHA_512("SCRAM-SHA-512", "scram.Scram");

    private final String word;
    private final String module;

    Mechanism(String word, String module) {
      this.word = word;
      this.module = "org.apache.kafka.common.security." + module + "LoginModule";
    }
  }

  public KafkaSinkConfig {
    Checks.addresses("servers", servers, PORT, tls != null);
    Checks.topic("topic", topic);
    if ((user == null) != (password == null)) {
      throw Checks.refuse(
          user == null ? "user" : "password", "is missing; a user needs a password");
    }
  }

  /** Returns the sink's name for log lines. */
  String displayName() {
    return "sink kafka " + topic + " on " + String.join(", ", servers);
  }

  /** Returns the settings of every client: how to connect and to log in. */
  Map<String, Object> connection() {
    Map<String, Object> settings = new HashMap<>();
    settings.put(
        CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
        Checks.addresses("servers", servers, PORT, tls != null).stream()
            .map(Object::toString)
            .toList());
    settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "duplog");
    settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, MAX_RECONNECT_MILLIS);
    settings.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    settings.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, List.of());
    settings.put(
        CommonClientConfigs.SECURITY_PROTOCOL_CONFIG,
        (user == null ? "" : "SASL_") + (tls == null ? "PLAINTEXT" : "SSL"));
    if (tls != null) {
      settings.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, KafkaTls.class);
      settings.put(KafkaTls.SETTING, KafkaTls.of(displayName(), tls));
    }
    if (user != null && password != null) {
      settings.put(SaslConfigs.SASL_MECHANISM, mechanism.word);
      settings.put(
          SaslConfigs.SASL_JAAS_CONFIG,
          "%s required username=\"%s\" password=\"%s\";"
              .formatted(mechanism.module, escaped(user), escaped(password.reveal())));
    }
    return settings;
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  /**
   * Returns the settings of the producer. The producer is idempotent, and retries each record until
   * the sink closes. A failure of a broker or the network alone therefore causes no duplicates.
   */
  Map<String, Object> producer() {
    Map<String, Object> settings = connection();
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, PRODUCER_BYTES);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    settings.put(
        ProducerConfig.COMPRESSION_TYPE_CONFIG, compression.name().toLowerCase(Locale.ROOT));
    return settings;
  }

  /** Returns a function that returns a record's value: the message as it was received. */
  public Payload payload() {
    return (delivery, message) ->
        Arrays.copyOfRange(
            delivery.batch().data(),
            delivery.batch().textStart(message),
            delivery.batch().end(message));
  }
}
