/**
 * Turns what rsyslog hands over into batches. {@code ConfirmedTransaction} publishes a transaction
 * as a whole, whichever way it came.
 */
package io.duplog.ingest.batch;
