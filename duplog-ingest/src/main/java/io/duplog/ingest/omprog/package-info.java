/**
 * Speaks with rsyslog: reads lines from omprog's pipe, gathers them into batches, and answers as
 * omprog's protocol demands. This package knows nothing of AMQP.
 */
package io.duplog.ingest.omprog;
