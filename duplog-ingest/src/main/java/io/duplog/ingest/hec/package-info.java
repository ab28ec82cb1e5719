/**
 * Accepts events by Splunk's HTTP Event Collector protocol, and answers when RabbitMQ has confirmed
 * them. {@code HecServer} is the entry point; {@code Intake} publishes.
 */
package io.duplog.ingest.hec;
