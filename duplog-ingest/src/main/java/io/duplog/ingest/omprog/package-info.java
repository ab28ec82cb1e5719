/**
 * Speaks with rsyslog: reads lines from omprog's pipe, gathers them into batches, and answers as
 * its protocol asks. Knows nothing of AMQP.
 */
@NullMarked
package io.duplog.ingest.omprog;

import org.jspecify.annotations.NullMarked;
