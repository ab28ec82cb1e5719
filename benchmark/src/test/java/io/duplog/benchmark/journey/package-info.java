/**
 * Tests the programs as built, between real servers in containers: rsyslog starts the shim,
 * RabbitMQ holds, two bridges run as processes of their own, and every message is accounted for.
 */
package io.duplog.benchmark.journey;
