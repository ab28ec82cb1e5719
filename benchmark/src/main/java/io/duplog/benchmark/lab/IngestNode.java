package io.duplog.benchmark.lab;

/**
 * One host of the ingest side: its rsyslog, which starts the shim, and its broker.
 *
 * @param stream the name of what it receives, such as {@code syslog-a}
 */
public record IngestNode(String stream, Rsyslog rsyslog, RabbitMq broker, QueueProbe queue) {}
