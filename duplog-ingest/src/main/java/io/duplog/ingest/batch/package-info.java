/**
 * Gathers rsyslog's messages into batches. {@code ConfirmedTransaction} publishes a transaction as
 * a whole, whether it came from omprog or over HTTP.
 */
package io.duplog.ingest.batch;
