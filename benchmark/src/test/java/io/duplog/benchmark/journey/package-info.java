/**
 * Tests the built programs end to end with real servers. Rsyslog starts the shim, RabbitMQ holds
 * the batches, two bridges run as separate processes, and every message is accounted for.
 */
package io.duplog.benchmark.journey;
