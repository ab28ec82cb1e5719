/**
 * Implements the protocol of rsyslog's omprog: reads lines from the pipe, gathers them into
 * batches, and answers rsyslog. This package does not depend on AMQP.
 */
package io.duplog.ingest.omprog;
